"""Asks for each id of a list, and prints where that led, or what was refused, as JSON."""

import json
import os
import sys
from collections.abc import Callable

from itembridge import Itembridge, ItembridgeError


def outcome(call: Callable[[], object]) -> object:
    try:
        return call()
    except ItembridgeError as error:
        return [error.status, error.code]


with Itembridge(os.environ["ITEMBRIDGE_URL"], "sk_test", attempts=1) as client:
    told = [
        [
            outcome(lambda: client.status(id)),
            outcome(lambda: client.set_price(id, 1)),
            outcome(lambda: client.bulk_syncs.read(id)),
            outcome(lambda: client.request("GET", f"/things/{id}/part") if id in ("", ".", "..", "%2e", "%2E.") else None),
        ]
        for id in json.load(sys.stdin)
    ]
    print(json.dumps(told))
