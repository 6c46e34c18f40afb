"""How calls are repeated, at a server that fails by a script; prints what each ended with."""

import os

from itembridge import Itembridge, ItembridgeError, ItembridgeUnreachable
from itembridge.errors import error_from_answer

client = Itembridge(os.environ["ITEMBRIDGE_URL"], "sk_live_test")


def ends(call: object) -> str:
    try:
        assert callable(call)
        call()
        return "ok"
    except ItembridgeError as error:
        return f"{error.status} {error.retry_after}"
    except ItembridgeUnreachable:
        return "unreachable"


print("put", ends(lambda: client.request("PUT", "/broken-off-then-503")))
print("post", ends(lambda: client.request("POST", "/503")))
print("keyed", ends(lambda: client.request("POST", "/503-then-409", {}, idempotency_key="one")))
print("conditional", ends(lambda: client.request("PUT", "/503-conditional", {}, headers={"If-Match": '"1"'})))
print("dropped", ends(lambda: client.request("POST", "/broken-off")))
print("limited", ends(lambda: client.request("POST", "/429")))
print("long", ends(lambda: client.request("GET", "/429-long")))
print("redirect", ends(lambda: client.request("GET", "/redirect")))

# As a service told problems before they had code and params, and what is no problem at all.
EARLIER = b'{"error": "no", "details": [{"field": "title", "message": "is required"}, {"field": "x"}, "x", null]}'
print("earlier", [tuple(problem) for problem in error_from_answer(422, {}, EARLIER, None).details])
