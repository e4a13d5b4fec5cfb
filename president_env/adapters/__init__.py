"""The environment in the interfaces of other libraries, a module each.

A module imports the library it is for, so it needs that library installed: `pip install '.[NAME]'`, with the
names of the extras in pyproject.toml. Nothing else in the package imports from here.
"""
