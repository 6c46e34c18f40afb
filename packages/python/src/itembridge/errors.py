"""What a call may end with."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple


class FieldProblem(NamedTuple):
    """A broken rule of a request; ``field`` is a dotted path such as ``imageUrls.0``, ``params`` is what ``message`` says."""

    field: str
    message: str
    code: str
    params: Mapping[str, str | int | float]


class ItembridgeError(Exception):
    """The service said no.

    The text is a whole line for a log: ``422 VALIDATION_FAILED: title must not be empty (request 0f8c…)``. ``code`` is
    stable, ``reason`` the service's own sentence, ``request_id`` is what support asks for. ``retry_after`` (seconds) is
    there when the service named a wait that was too long to sit out.
    """

    def __init__(
        self,
        status: int,
        reason: str,
        *,
        code: str | None = None,
        details: tuple[FieldProblem, ...] = (),
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        problems = "; ".join(f"{problem.field} {problem.message}" for problem in details)
        request = "" if request_id is None else f" (request {request_id})"
        super().__init__(f"{status}{'' if code is None else f' {code}'}: {problems or reason}{request}")
        self.status = status
        self.reason = reason
        self.code = code
        self.details = details
        self.request_id = request_id
        self.retry_after = retry_after


class ItembridgeUnreachable(Exception):
    """No answer came, after all tries: it is not known whether the call took effect. ``__cause__`` says what happened."""


def error_from_answer(status: int, headers: Mapping[str, str], body: bytes, retry_after: float | None) -> ItembridgeError:
    """From an answer that is no 2xx: the service's JSON, or the text of whatever stands in front of it."""
    request_id = headers.get("x-request-id")
    told = _object(body)
    reason = told.get("error")
    if not isinstance(reason, str):
        return ItembridgeError(status, "no explanation was given", request_id=request_id, retry_after=retry_after)
    code, details = told.get("code"), told.get("details")
    return ItembridgeError(
        status,
        reason,
        code=code if isinstance(code, str) else None,
        details=tuple(_problems(details)),
        request_id=request_id,
        retry_after=retry_after,
    )


def _object(body: bytes) -> dict[str, Any]:
    try:
        told = json.loads(body)
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}


def _problems(details: object) -> list[FieldProblem]:
    if not isinstance(details, list):
        return []
    return [problem for row in details if isinstance(row, dict) and (problem := _problem(row)) is not None]


def _problem(row: dict[str, Any]) -> FieldProblem | None:
    """A service of an earlier version sends field and message alone."""
    field, message, code, params = (row.get(name) for name in FieldProblem._fields)
    if not isinstance(field, str) or not isinstance(message, str):
        return None
    return FieldProblem(
        field,
        message,
        code if isinstance(code, str) else "not_valid",
        params if isinstance(params, dict) else {},
    )
