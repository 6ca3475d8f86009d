"""The lines and numbered items that the place of a claim names."""

import re


def places(place):
    """Return the lines and the numbers of equations, definitions, tables and figures that a place names.

    The part before the first semicolon is the sentence itself; the others are repetitions of it.
    """
    lines, names = (
        set(),
        set(re.findall(r"(?:Definition|Proposition|Table|Figure) [\d.]+\d|Table \d|Figure \d", place)),
    )
    for listed in re.findall(r"lines? ([\d, toand]*\d)", place):
        for part in re.split(r", | and ", listed):
            first, _, last = part.partition(" to ")
            lines |= set(range(int(first), int(last or first) + 1))
    for listed in re.findall(r"eq\. ((?:\(\d+\)(?:, | and | to )?)+)", place):
        for first, last in re.findall(r"\((\d+)\)(?: to \((\d+)\))?", listed):
            names |= {f"({k})" for k in range(int(first), int(last or first) + 1)}
    return lines, names
