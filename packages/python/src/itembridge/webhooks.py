"""Verification of webhook deliveries."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Iterable, Mapping
from typing import Protocol, cast

from .models import Event, WebhookTestEvent


class Headers(Protocol):
    """A dictionary, or what a web framework has for headers."""

    def items(self) -> Iterable[tuple[str, str]]: ...


class WebhookVerificationError(Exception):
    """The delivery is not from the service, or not of now. Answer it with 401; the text is for your own log."""


def verify_webhook(
    body: bytes,
    headers: Headers,
    secret: str | Iterable[str],
    *,
    tolerance_seconds: float = 300,
    now: float | None = None,
) -> Event | WebhookTestEvent:
    """The event of a delivery whose two signatures are right; raises WebhookVerificationError for any other.

    ``body`` are the bytes as they came: parsed and written again they would differ. ``secret`` is that of the endpoint,
    with its ``whsec_``; several while one is being replaced. ``now`` is in seconds since 1970. An event with
    ``data["test"]`` is a trial: answer it and do nothing else.
    """
    given = {name.lower(): value for name, value in headers.items()}
    secrets = [one for one in ([secret] if isinstance(secret, str) else secret) if one]
    if not secrets:
        raise WebhookVerificationError("There is no secret to verify with")
    if not any(_is_service_signed(given, body, one) for one in secrets):
        raise WebhookVerificationError("X-Service-Signature does not fit the body")
    sent_at = given.get("webhook-timestamp", "")
    age = abs((time.time() if now is None else now) - int(sent_at)) if re.fullmatch(r"[0-9]{1,12}", sent_at) else None
    if age is None or age > tolerance_seconds:
        raise WebhookVerificationError(f"webhook-timestamp is not within {tolerance_seconds:g} s of now")
    if not any(_is_standard_signed(given, body, one) for one in secrets):
        raise WebhookVerificationError("webhook-signature does not fit id, timestamp and body")
    try:
        return cast("Event | WebhookTestEvent", json.loads(body))
    except ValueError as error:
        raise WebhookVerificationError("The body is no JSON") from error


def _is_service_signed(headers: Mapping[str, str], body: bytes, secret: str) -> bool:
    digest = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return _is_equal(headers.get("x-service-signature", ""), f"sha256={digest}")


def _is_standard_signed(headers: Mapping[str, str], body: bytes, secret: str) -> bool:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"))
    except binascii.Error:
        return False
    signed = f"{headers.get('webhook-id', '')}.{headers.get('webhook-timestamp', '')}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    # Several may stand there, separated by spaces.
    return any(_is_equal(one, expected) for one in headers.get("webhook-signature", "").split(" "))


def _is_equal(given: str, expected: str) -> bool:
    """Takes the same time wherever the two differ, so that a signature can't be guessed byte by byte."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), expected.encode())
