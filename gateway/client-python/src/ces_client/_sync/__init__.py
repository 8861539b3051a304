# Generated from `_async` by generate/generate.py.
