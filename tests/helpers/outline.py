"""The tags of an HTML page."""

from __future__ import annotations

from html.parser import HTMLParser


class Outline(HTMLParser):
    """Every tag with its attributes, and whether open and close tags match."""

    VOID = frozenset({"meta", "link", "input", "img", "br"})

    def __init__(self, text: str):
        super().__init__()
        self.tags: list[tuple[str, dict]] = []
        self.stack: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.stack.append(tag)

    def handle_endtag(self, tag):
        assert self.stack.pop() == tag

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
