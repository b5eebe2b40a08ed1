"""Starts the command `surefoot` of the same installation: by pytest (`pytest --surefoot`) or by Python (`python -m surefoot`)."""
