"""Options of pytest and its plug-ins that are not for workers, with the values that they have there.

PYTEST_DONT_REWRITE
"""

FILES_OF_THE_USER = {
    "xmlpath": None,
    "htmlpath": None,
    "report_log": None,
    "json_report": False,
    "allure_report_dir": None,
    "pastebin": None,
    "basetemp": None,
}
"""Those that have pytest or a plug-in write files, or that two workers at a time cannot both use."""

INTERRUPTIONS = {"usepdb": False, "trace": False, "maxfail": 0}
"""Those that stop between tests."""
