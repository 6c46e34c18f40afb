"""Files of items, sent as one stream and applied by the service."""

from __future__ import annotations

import json
import tempfile
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from os import PathLike
from typing import IO, Any, Literal, cast

from .models import AcceptedBulkSync, BatchRow, BulkSync, BulkSyncCheck, BulkSyncError, CancelledBulkSync
from .transport import Transport, segment

#: Rows as dictionaries, or the path of a file of newline-delimited JSON.
Lines = Iterable[BatchRow] | str | PathLike[str]
_PATH = "/integration/v1/bulk-syncs"
_IN_MEMORY_BYTES = 8_000_000


class BulkSyncs:
    """Up to a million items in one call. Reached as ``Itembridge.bulk_syncs``."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def upload(
        self,
        lines: Lines,
        *,
        mode: Literal["merge", "snapshot"] = "merge",
        left_out: Literal["empty", "keep"] = "empty",
        confirm: bool = False,
        idempotency_key: str | None = None,
    ) -> str:
        """Returns the id when the service has all lines safe. ``confirm`` lets a snapshot take down more than half.

        Fields that a row leaves out although its item has them are emptied, as by a PUT; ``left_out="keep"`` leaves them
        as they are, for files whose columns are not all of an item.

        Rows are kept in a temporary file meanwhile, so that the upload can be repeated in flat memory. Keep an
        ``idempotency_key`` of your own to ask again for an answer that your process did not live to see.
        """
        query = {"mode": mode, "leftOut": None if left_out == "empty" else left_out, "confirm": confirm or None}
        return cast(AcceptedBulkSync, self._send(lines, query, idempotency_key))["id"]

    def check(
        self,
        lines: Lines,
        *,
        mode: Literal["merge", "snapshot"] = "merge",
        left_out: Literal["empty", "keep"] = "empty",
    ) -> BulkSyncCheck:
        """Every check that the content and the items that are there allow, with no effect."""
        query = {"mode": mode, "leftOut": None if left_out == "empty" else left_out, "validateOnly": True}
        return cast(BulkSyncCheck, self._send(lines, query, None))

    def read(self, bulk_sync_id: str) -> BulkSync:
        return cast(BulkSync, self._transport.json("GET", _path_of(bulk_sync_id)))

    def wait(
        self, bulk_sync_id: str, *, poll_seconds: float = 1, on_progress: Callable[[BulkSync], object] | None = None
    ) -> BulkSync:
        """Returns when it is over; ``on_progress`` gets what each look finds."""
        while True:
            bulk = self.read(bulk_sync_id)
            if on_progress is not None:
                on_progress(bulk)
            if bulk["state"] in ("completed", "cancelled"):
                return bulk
            time.sleep(poll_seconds)

    def errors(self, bulk_sync_id: str) -> Iterator[BulkSyncError]:
        """Lines that failed, then those with warnings, each in their order."""
        return self._transport.lines(f"{_path_of(bulk_sync_id)}/errors")

    def cancel(self, bulk_sync_id: str) -> CancelledBulkSync:
        """Ends it; what was applied stays."""
        return cast(CancelledBulkSync, self._transport.json("DELETE", _path_of(bulk_sync_id)))

    def _send(self, lines: Lines, query: Mapping[str, object], idempotency_key: str | None) -> Any:
        headers = {
            "content-type": "application/x-ndjson",
            "idempotency-key": idempotency_key or str(uuid.uuid4()),
        }
        with _as_file(lines) as file:
            return self._transport.json("POST", _PATH, query=query, body=file, headers=headers)


def _path_of(bulk_sync_id: str) -> str:
    return f"{_PATH}/{segment(bulk_sync_id)}"


def _as_file(lines: Lines) -> IO[bytes]:
    if isinstance(lines, (str, PathLike)):
        return open(lines, "rb")
    file = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY_BYTES)
    for row in lines:
        file.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")
    file.seek(0)
    return cast("IO[bytes]", file)
