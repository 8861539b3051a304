from __future__ import annotations

import unicodedata
import uuid

_MAX_CODE_POINTS = 1024
# A search has at most 1,000 companies, so at most as many pages.
_MOST_PAGES = 1_000
# The white space that the service trims. `str.strip()` would also remove control characters.
_WHITE_SPACE = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)


def create_request_key() -> str:
    """Returns a random idempotency key, a UUID."""
    return str(uuid.uuid4())


def page_key(first_key: str, page: int) -> str:
    """
    The idempotency key of a page, counted from 1. It depends only on the first key, so a second
    run is not charged again.
    """
    return first_key if page == 1 else f"{first_key}/{page}"


def check_first_key(first_key: str) -> None:
    """Raises ValueError when the first key is too long for the suffix of later pages."""
    parse_request_key(page_key(first_key, _MOST_PAGES))


def parse_request_key(text: str) -> str:
    """Trims a key as the service does. Raises ValueError when a header cannot carry it."""
    key = text.strip(_WHITE_SPACE)
    if not 1 <= len(key) <= _MAX_CODE_POINTS or any(map(_is_control_or_surrogate, key)):
        raise ValueError(
            f"request_key must have 1 to {_MAX_CODE_POINTS} characters, "
            "none of them a control character or half of one."
        )
    return key


def _is_control_or_surrogate(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cs")
