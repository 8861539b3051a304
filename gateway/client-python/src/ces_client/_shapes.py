"""
Distinguish answers of the interface from those of proxies. The service validates its own schemas.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, TypeGuard, TypeVar

from ._answer import JsonObject, is_object, is_usage
from ._sources import SourceList
from .types import (
    AnyResult,
    CompanyDetail,
    CompanyLookupResult,
    CompanyResult,
    DiagnosticResult,
    ObservationDetail,
    ObservationLookupResult,
    UsageList,
    UsageReport,
    UsageStatement,
)

BodyT = TypeVar("BodyT")
Shape: TypeAlias = Callable[[JsonObject], TypeGuard[BodyT]]


def _is_list(value: object) -> bool:
    return isinstance(value, list)


def _is_text_or_none(value: object) -> bool:
    return value is None or isinstance(value, str)


def _shape(_: type[BodyT], **members: Callable[[object], bool]) -> Shape[BodyT]:
    def has_members(body: JsonObject) -> TypeGuard[BodyT]:
        # A missing member is not None: `next_cursor` must be there.
        return all(name in body and check(body[name]) for name, check in members.items())

    return has_members


is_company_result = _shape(
    CompanyResult,
    usage=is_usage,
    companies=_is_list,
    coverage=is_object,
    next_cursor=_is_text_or_none,
)
is_company_lookup_result = _shape(
    CompanyLookupResult, usage=is_usage, companies=_is_list, lookups=_is_list
)
is_observation_lookup_result = _shape(
    ObservationLookupResult,
    usage=is_usage,
    observations=_is_list,
    domains=_is_list,
    next_cursor=_is_text_or_none,
)
is_diagnostic_result = _shape(DiagnosticResult, usage=is_usage, subscription=is_object)
is_company_detail = _shape(CompanyDetail, company=is_object)
is_observation_detail = _shape(ObservationDetail, observation=is_object)
is_usage_report = _shape(UsageReport, subscription=is_object, usage=is_object, limits=is_object)
is_usage_list = _shape(UsageList, usages=_is_list, next_cursor=_is_text_or_none)
is_usage_statement = _shape(
    UsageStatement, entries=_is_list, totals=is_object, next_cursor=_is_text_or_none
)
is_source_list = _shape(SourceList, sources=_is_list)


def is_any_result(body: JsonObject) -> TypeGuard[AnyResult]:
    return is_usage(body.get("usage")) and is_object(body.get("request_allowance"))
