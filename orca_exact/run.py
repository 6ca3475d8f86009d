def unordered(function, tasks, jobs=1, scheduler=None, tick=lambda: None):
    for key, task in tasks:
        yield key, function(*task)
