"""Checks that a webhook comes from the service and is fresh. To copy: the standard library only, Python 3.8 or later.

Tried by hand: WEBHOOK_SECRET=whsec_... python3 verify.py headers.txt < body
"""
import base64
import hashlib
import hmac
import json
import os
import re
import sys
import time

TOLERANCE_SECONDS = 300


class UntrustedDelivery(Exception):
    """Whatever isn't exactly right; the text says why, for your log and not for the sender."""


def verify_webhook(raw_body, headers, secret, now=None):
    """Checks both signatures over the bytes as they came and returns the event. Names of headers in lower case."""
    digest = hmac.new(secret.encode(), raw_body, hashlib.sha256).hexdigest()
    if not is_equal(headers.get("x-service-signature", ""), "sha256=" + digest):
        raise UntrustedDelivery("x-service-signature does not fit the body")

    event_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    now = time.time() if now is None else now
    if not re.fullmatch(r"[0-9]{1,12}", timestamp) or abs(now - int(timestamp)) > TOLERANCE_SECONDS:
        raise UntrustedDelivery("webhook-timestamp is not of the last 5 minutes")
    key = base64.b64decode(secret[len("whsec_"):])
    signed = f"{event_id}.{timestamp}.".encode() + raw_body
    signature = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    # Several signatures may stand there, separated by spaces, while a secret is being changed.
    if not any(is_equal(one, signature) for one in headers.get("webhook-signature", "").split(" ")):
        raise UntrustedDelivery("webhook-signature does not fit id, timestamp and body")
    return json.loads(raw_body)


def is_equal(given, expected):
    """Takes the same time wherever the two differ, so that a signature can't be guessed byte by byte."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), expected.encode())


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        pairs = (line.strip().split(":", 1) for line in file if ":" in line)
        given = {name.lower(): value.strip() for name, value in pairs}
    try:
        verify_webhook(sys.stdin.buffer.read(), given, os.environ["WEBHOOK_SECRET"])
        print("verified")
    except UntrustedDelivery as error:
        print(f"refused: {error}")
        sys.exit(1)
