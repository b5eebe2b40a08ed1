"""A module that has part of its contents only when somebody asks for it."""


def __getattr__(name):
    if name != "Later":
        raise AttributeError(name)
    globals()[name] = later = type(name, (), {})
    return later
