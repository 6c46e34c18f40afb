"""HTTP with retries: how a call is sent, and when it is sent again."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import IO, Any, Self
from urllib.parse import quote, unquote, urlencode

import urllib3
from urllib3.exceptions import HTTPError, MaxRetryError, ResponseError
from urllib3.util import Retry, Timeout

from .errors import FieldProblem, ItembridgeError, ItembridgeUnreachable, error_from_answer
from .version import __version__

#: A ``Retry-After`` of more seconds is not sat out: the error says how long it is.
RETRY_AFTER_MAX = 120


class Repeatable(Retry):
    """For calls that may be made twice: trouble of network and server, 429, and a first try that is still at work."""

    RETRY_AFTER_STATUS_CODES = frozenset({409, 429, 503})

    def increment(
        self,
        method: str | None = None,
        url: str | None = None,
        response: urllib3.BaseHTTPResponse | None = None,
        error: Exception | None = None,
        _pool: urllib3.connectionpool.ConnectionPool | None = None,
        _stacktrace: TracebackType | None = None,
    ) -> Self:
        if response is not None and (self.get_retry_after(response) or 0) > RETRY_AFTER_MAX:
            raise MaxRetryError(_pool, url, ResponseError("the service asks for a longer wait"))  # type: ignore[arg-type]
        return super().increment(method, url, response, error, _pool, _stacktrace)


class OnlyRateLimits(Repeatable):
    """For calls that must not be made twice: after 429 nothing was done."""

    RETRY_AFTER_STATUS_CODES = frozenset({429})


class Transport:
    """A pool of connections to one service, with the headers that every call carries."""

    def __init__(
        self,
        base_url: str,
        headers: Mapping[str, str],
        *,
        application: str | None,
        attempts: int,
        timeout: float,
        ca_certs: str | None,
    ) -> None:
        own = f"itembridge-python/{__version__} (python/{platform.python_version()}; {platform.system().lower()})"
        self._base_url = base_url.rstrip("/")
        self._headers = {**headers, "user-agent": own if application is None else f"{application} {own}"}
        # False: an error is raised as it is.
        common: dict[str, Any] = {
            "total": attempts - 1,
            "allowed_methods": None,
            "backoff_factor": 0.5,
            "backoff_max": 30,
            "backoff_jitter": 0.25,
            "raise_on_status": False,
            "retry_after_max": 2**31,
        }
        self._repeatable = Repeatable(status_forcelist={408, 429, 500, 502, 503, 504}, **common)
        self._once = OnlyRateLimits(status_forcelist={429}, read=False, **common)
        options: dict[str, Any] = {} if ca_certs is None else {"ca_certs": ca_certs}
        self._pool = urllib3.PoolManager(timeout=Timeout(connect=10, read=timeout), **options)

    def send(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        body: bytes | IO[bytes] | None = None,
        headers: Mapping[str, str] | None = None,
        is_stream: bool = False,
    ) -> urllib3.BaseHTTPResponse:
        """Returns a 2xx; with ``is_stream`` its body is not read yet. Raises ItembridgeError and ItembridgeUnreachable."""
        _require_own_path(path)
        sent = {**self._headers, **{name.lower(): value for name, value in (headers or {}).items()}}
        try:
            response = self._pool.request(
                method,
                self._base_url + path + _query(query),
                body=body,
                headers=sent,
                # A redirect would carry the key to wherever it leads.
                redirect=False,
                retries=self._repeatable if _is_repeatable(method, sent) else self._once,
                preload_content=not is_stream,
            )
            if 200 <= response.status < 300:
                return response
            text = response.data
        except HTTPError as error:
            raise ItembridgeUnreachable(f"The service can't be reached: {error}") from error
        retry_after = self._repeatable.get_retry_after(response)
        raise error_from_answer(response.status, response.headers, text, retry_after)

    def json(self, method: str, path: str, *, content: object = None, **options: Any) -> Any:
        """The parsed answer; ``None`` where there is none (204). ``content`` is sent as JSON."""
        if content is not None:
            headers = {"content-type": "application/json", **(options.pop("headers", None) or {})}
            options |= {"body": json.dumps(content, ensure_ascii=False).encode(), "headers": headers}
        data = self.send(method, path, **options).data
        return json.loads(data) if data else None

    def lines(self, path: str) -> Iterator[Any]:
        """Newline-delimited JSON, object by object, in flat memory. Is not begun again when it breaks off."""
        response = self.send("GET", path, is_stream=True)
        try:
            rest = b""
            for chunk in response.stream(65_536):
                *whole, rest = (rest + chunk).split(b"\n")
                yield from (json.loads(line) for line in whole if line.strip())
            if rest.strip():
                yield json.loads(rest)
        except HTTPError as error:
            raise ItembridgeUnreachable(f"The answer broke off: {error}") from error
        finally:
            response.release_conn()

    def close(self) -> None:
        self._pool.clear()


def segment(value: str) -> str:
    """A value as a part of a path. What would change the path is refused by ``Transport.send``."""
    try:
        return quote(value, safe="")
    except UnicodeEncodeError:
        raise _bad_path("not_text", "must not contain unpaired surrogates") from None


def _require_own_path(path: str) -> None:
    """Programs leave dot segments out of a path, and without an id the list is meant."""
    for part in path.partition("?")[0].split("/")[1:]:
        if part == "":
            raise _bad_path("empty", "must not be empty")
        if unquote(part) in (".", ".."):
            raise _bad_path("dot_segment", "must not be . or .., which a path can't hold")


def _bad_path(code: str, message: str) -> ItembridgeError:
    """As the service would say it, before anything is sent."""
    problem = FieldProblem("path", f"has a part that {message}", code, {})
    return ItembridgeError(400, f"{problem.field} {problem.message}", code="BAD_REQUEST", details=(problem,))


def _is_repeatable(method: str, headers: Mapping[str, str]) -> bool:
    # Done by a first try whose answer got lost, a conditional write refuses the second one with 412.
    if "if-match" in headers:
        return False
    return method != "POST" or "idempotency-key" in headers


def _query(query: Mapping[str, object] | None) -> str:
    given = {name: value for name, value in (query or {}).items() if value is not None}
    texts = {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in given.items()}
    return f"?{urlencode(texts)}" if texts else ""
