"""pytest imports it when it sets up the first test below it, and puts its directory on `sys.path`."""
