"""`[*s]`, `(a, *s)` and `f(a, *s)` in code of the project, from CPython 3.13 on: it copies the entries of a set there past every
function that could be changed. So a worker that is to show other orders compiles the project's modules anew, with the starred value
handed through a function. Nothing is written where Python and pytest keep compiled modules, and nothing is read from there.

PYTEST_DONT_REWRITE
"""

import ast
import builtins
import importlib.machinery
import os
import sys

NAME = "@surefoot_listed"
"""No name of a program: it cannot be written down."""


def change(native, roots):
    """Modules that are imported from now on, for as long as the process lives. What could not be changed is returned in words."""
    if sys.version_info < (3, 13) or NAME in builtins.__dict__:
        return []
    builtins.__dict__[NAME] = native.choose_listed
    is_own = _Own(roots)
    _change_loader(is_own)
    try:
        _change_pytest(is_own)
    except (ImportError, AttributeError) as error:
        return ["[*s] in test modules is left as it is: %s" % error]
    return []


class _Own:
    """Whether a file belongs to the project and not to a library that is installed below it."""

    def __init__(self, roots):
        self._roots = tuple(os.path.join(root, "") for root in roots)

    def __call__(self, file):
        return file.startswith(self._roots) and "/site-packages/" not in file


def _change_loader(is_own):
    loader = importlib.machinery.SourceFileLoader
    original = loader.get_code

    def get_code(self, fullname):
        file = self.get_filename(fullname)
        if is_own(os.path.abspath(file)):
            try:
                tree = changed(ast.parse(self.get_data(file), file))
            except (OSError, SyntaxError, ValueError):
                # Python itself says so in its own words.
                tree = None
            if tree is not None:
                return compile(tree, file, "exec", dont_inherit=True)
        return original(self, fullname)

    loader.get_code = get_code


def _change_pytest(is_own):
    from _pytest.assertion import rewrite

    rewrite_asserts, read, write = rewrite.rewrite_asserts, rewrite._read_pyc, rewrite._write_pyc

    def asserts(mod, *arguments, **named):
        rewrite_asserts(mod, *arguments, **named)
        changed(mod)

    def read_compiled(source, *arguments, **named):
        return None if is_own(str(source)) else read(source, *arguments, **named)

    def write_compiled(state, co, *arguments, **named):
        return False if is_own(co.co_filename) else write(state, co, *arguments, **named)

    rewrite.rewrite_asserts = asserts
    rewrite._read_pyc = read_compiled
    rewrite._write_pyc = write_compiled


def changed(tree):
    """The tree, if there was something to change in it."""
    transformer = _Starred()
    transformer.visit(tree)
    return tree if transformer.found else None


class _Starred(ast.NodeTransformer):
    def __init__(self):
        self.found = False

    def _wrapped(self, nodes):
        for node in nodes:
            if isinstance(node, ast.Starred):
                self.found = True
                name = ast.copy_location(ast.Name(NAME, ast.Load()), node.value)
                node.value = ast.copy_location(ast.Call(name, [node.value], []), node.value)

    def _display(self, node):
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Load):
            self._wrapped(node.elts)
        return node

    visit_List = visit_Tuple = _display

    def visit_Call(self, node):
        self.generic_visit(node)
        # A sole one is read by way of its iterator.
        if len(node.args) > 1:
            self._wrapped(node.args)
        return node
