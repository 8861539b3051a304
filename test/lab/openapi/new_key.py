"""Gives every call a key of its own: with the one of the document's example all but the first would be conflicts."""

import uuid

import schemathesis

# Room for what is added, below the 1024 characters of a key.
LONGEST = 900


@schemathesis.hook
def before_call(context, case, kwargs):
    headers = dict(case.headers or {})
    key = headers.get("Idempotency-Key")
    if isinstance(key, str) and key.strip() and len(key) <= LONGEST:
        headers["Idempotency-Key"] = f"{key.strip()} {uuid.uuid4()}"
        case.headers = headers
