"""Client of the Company Evidence Search Service: one idempotency key for each operation."""

from . import price_of
from ._async.client import AsyncCesClient
from ._async.operation import AsyncOperation
from ._async.pages import AsyncSearchPage
from ._errors import CesError, CesErrorCode, LocalErrorCode
from ._http import ApiKey, AsyncApiKey
from ._inputs import UsageAction
from ._options import CesAttempt
from ._outcome import DoneAnswer, OperationAnswer, PendingAnswer, Units
from ._request_key import create_request_key
from ._sources import Source, SourceList
from ._sync.client import CesClient
from ._sync.operation import Operation
from ._sync.pages import SearchPage
from ._version import VERSION as __version__
from .price_of import Price

__all__ = [
    "ApiKey",
    "AsyncApiKey",
    "AsyncCesClient",
    "AsyncOperation",
    "AsyncSearchPage",
    "CesAttempt",
    "CesClient",
    "CesError",
    "CesErrorCode",
    "DoneAnswer",
    "LocalErrorCode",
    "Operation",
    "OperationAnswer",
    "PendingAnswer",
    "Price",
    "SearchPage",
    "Source",
    "SourceList",
    "Units",
    "UsageAction",
    "__version__",
    "create_request_key",
    "price_of",
]
