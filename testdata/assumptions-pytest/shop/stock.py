import os


def files(folder):
    return [name for name in os.listdir(folder) if name.endswith(".txt")]


def first(members):
    for member in members:
        return member


def labels(numbers):
    return ["no. %d" % number for number in numbers]


def with_all(members):
    return (0, *members)
