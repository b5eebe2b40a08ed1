"""An item as it was collected. pytest makes an item to run once: what a run leaves in it would be seen by the next one.

PYTEST_DONT_REWRITE
"""

import copy
import sys

import pytest


class Collected:
    def __init__(self, item):
        self._attributes = _contents(item.__dict__)
        if _has_an_instance(item):
            # It would stay for as long as this does, with all that the test left in it.
            _forget_instance(item, self._attributes)
        document = getattr(item, "dtest", None)
        self._globals = dict(document.globs) if document is not None else None
        request = getattr(item, "_request", None)
        # Plug-ins have items that make it as they are collected, and never again.
        self._request = _copied(request) if request and not hasattr(item, "_initrequest") else None

    def restore(self, item):
        item.__dict__.clear()
        item.__dict__.update(_contents(self._attributes))
        if self._globals is not None:
            # doctest clears them after a run.
            item.dtest.globs = dict(self._globals)
        if self._request is not None:
            item._request = _copied(self._request)
        elif hasattr(item, "_request"):
            # Has pytest make a new request, with the values of all fixtures that belong to the item.
            item._request = False
        if _has_an_instance(item):
            _forget_instance(item, item.__dict__)
            _allow_another_instance(item)


def _copied(request):
    """With what it keeps of the fixtures that it was asked for."""
    another = copy.copy(request)
    another.__dict__.update(_contents(request.__dict__))
    return another


def _contents(attributes):
    plain = (list, dict, set)
    return {name: copy.copy(value) if type(value) in plain else value for name, value in attributes.items()}


def _has_an_instance(item):
    return isinstance(item, pytest.Function) and isinstance(item.parent, pytest.Class)


def _forget_instance(item, attributes):
    """pytest makes the instance with the item, and makes a new one where there is none."""
    if hasattr(item.parent.obj, item.originalname):
        attributes.pop("_instance", None)
        attributes["_obj"] = None


def _allow_another_instance(item):
    """Hypothesis takes a second instance for an error. Where pytest makes several, for parameters, its plug-in says the same."""
    function = getattr(item.obj, "__func__", item.obj)
    settings = getattr(function, "_hypothesis_internal_use_settings", None)
    check = getattr(getattr(sys.modules.get("hypothesis"), "HealthCheck", None), "differing_executors", None)
    if settings is not None and check is not None:
        suppressed = set(settings.suppress_health_check) | {check}
        function._hypothesis_internal_use_settings = type(settings)(parent=settings, suppress_health_check=suppressed)
