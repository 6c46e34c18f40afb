"""The version of the package, as pyproject.toml has it: a test compares them."""

__version__ = "0.2.0"
