"""The client of one account."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterable, Iterator, Mapping
from types import TracebackType
from typing import Any, Literal, Self, cast

from .bulk_syncs import BulkSyncs
from .models import (
    BatchResponse,
    BatchRow,
    Event,
    EventFeed,
    ItemFull,
    ItemListEntry,
    ItemRequest,
    ItemStatus,
    UpsertResponse,
    ValidationResponse,
    WriteResponse,
)
from .transport import Transport, segment

_ITEMS = "/integration/v1/items"


class Itembridge:
    """Items, bulk syncs and events of one account, or of one member of a reseller.

    Waits out rate limits, and repeats what may be repeated. ``application`` (``"my-erp/3.1"``) names your program to
    the service. ``ca_certs`` is a file of certificates to trust instead of the system's. Every call raises
    ItembridgeError when the service says no, ItembridgeUnreachable when no answer came. Safe to share between threads.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str | None = None,
        *,
        partner_account: str | None = None,
        access_token: str | None = None,
        application: str | None = None,
        attempts: int = 5,
        timeout: float = 60,
        ca_certs: str | None = None,
    ) -> None:
        headers = {
            "x-api-key": api_key,
            "x-partner-account": partner_account,
            "authorization": None if access_token is None else f"Bearer {access_token}",
        }
        given = {name: value for name, value in headers.items() if value is not None}
        self._transport = Transport(
            base_url, given, application=application, attempts=attempts, timeout=timeout, ca_certs=ca_certs
        )
        self.bulk_syncs = BulkSyncs(self._transport)

    @classmethod
    def sign_in(cls, base_url: str, email: str, password: str, **options: Any) -> Self:
        """A client for what belongs to the dashboard (keys, webhooks, orders), by ``request``. Good for 15 minutes."""
        with cls(base_url, **options) as client:
            signed_in = client.request("POST", "/auth/login", {"email": email, "password": password})
        return cls(base_url, access_token=signed_in["accessToken"], **options)

    def upsert(
        self, external_id: str, item: ItemRequest, *, if_match: str | None = None, only_new: bool = False
    ) -> UpsertResponse:
        """Creates the item, or makes it what is given; sending the same again changes nothing.

        ``if_match``: only if it still has this ETag. ``only_new``: only if there is none yet. Else it is 412.
        """
        headers = {"if-match": if_match, "if-none-match": "*" if only_new else None}
        given = {name: value for name, value in headers.items() if value is not None}
        return cast(UpsertResponse, self._transport.json("PUT", _item(external_id), content=item, headers=given))

    def check(self, external_id: str, item: ItemRequest) -> ValidationResponse:
        """What ``upsert`` would say and warn of, with no effect."""
        query = {"validateOnly": True}
        return cast(ValidationResponse, self._transport.json("PUT", _item(external_id), content=item, query=query))

    def upsert_many(self, items: Iterable[BatchRow]) -> BatchResponse:
        """Up to 500 at once, each taken or refused by itself. For more see ``bulk_syncs``."""
        return cast(BatchResponse, self._post(f"{_ITEMS}/batch", {"items": list(items)}))

    def get(self, external_id: str) -> ItemFull:
        """All of an item, with what its processing waits for."""
        return cast(ItemFull, self._transport.json("GET", _item(external_id), query={"view": "full"}))

    def status(self, external_id: str) -> ItemStatus:
        return cast(ItemStatus, self._transport.json("GET", _item(external_id)))

    def set_price(self, external_id: str, price: float) -> WriteResponse:
        """In SEK."""
        return cast(WriteResponse, self._transport.json("PATCH", f"{_item(external_id)}/price", content={"price": price}))

    def set_status(self, external_id: str, status: Literal["not_listed", "sold"]) -> WriteResponse:
        """``not_listed`` takes it off, ``sold`` says that it was sold elsewhere."""
        return cast(WriteResponse, self._transport.json("PATCH", f"{_item(external_id)}/status", content={"status": status}))

    def publish(self, external_id: str) -> WriteResponse:
        return cast(WriteResponse, self._post(f"{_item(external_id)}/publish"))

    def delete(self, external_id: str) -> WriteResponse:
        return cast(WriteResponse, self._transport.json("DELETE", _item(external_id)))

    def items(self, **query: str | int) -> Iterator[ItemListEntry]:
        """All that match, page after page: ``items(serviceStatus="active")``, ``items(updatedSince="2026-03-01")``.

        An item that changes meanwhile may come twice: the later one counts.
        """
        cursor: str | None = None
        while True:
            page = self._transport.json("GET", _ITEMS, query={**query, "cursor": cursor})
            yield from page["items"]
            cursor = page["nextCursor"]
            if cursor is None:
                return

    def event_pages(self, after: str | None = None, *, poll_seconds: float | None = None) -> Iterator[EventFeed]:
        """Pages of the feed of events; with ``poll_seconds`` it never ends.

        Store ``nextCursor`` of a page once its events are safe with you, and give it as ``after`` the next time.
        """
        cursor = after
        while True:
            query = {"after": cursor, "limit": 500}
            page = cast(EventFeed, self._transport.json("GET", "/integration/events", query=query))
            cursor = page["nextCursor"]
            if page["events"]:
                yield page
            elif poll_seconds is None:
                return
            else:
                time.sleep(poll_seconds)

    def events(self, after: str | None = None, *, poll_seconds: float | None = None) -> Iterator[Event]:
        for page in self.event_pages(after, poll_seconds=poll_seconds):
            yield from page["events"]

    def request(
        self,
        method: str,
        path: str,
        content: object = None,
        *,
        query: Mapping[str, object] | None = None,
        headers: Mapping[str, str] | None = None,
        idempotency_key: str | None = None,
    ) -> Any:
        """Any operation of the interface document: the parsed answer, ``None`` for 204.

        A POST is repeated after trouble only under an ``idempotency_key``, for operations that take one.
        """
        own = {} if idempotency_key is None else {"idempotency-key": idempotency_key}
        return self._transport.json(method, path, content=content, query=query, headers={**own, **(headers or {})})

    def _post(self, path: str, content: object = None) -> Any:
        """A POST that honours an ``Idempotency-Key``, with one of its own."""
        return self.request("POST", path, content, idempotency_key=str(uuid.uuid4()))

    def close(self) -> None:
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def _item(external_id: str) -> str:
    return f"{_ITEMS}/{segment(external_id)}"
