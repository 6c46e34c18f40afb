"""A day of a shop, with the Python package against `npm start`: it says what happens, and fails when anything is missing or off.

    node scripts/packages.mjs && python3 -m venv build/python && build/python/bin/pip install build/packages/itembridge-*.whl
    build/python/bin/python examples/shop_day.py

Three lamps and a chair are put up for auction, with terms; two lamps are sold, one is paid and sent with a tracking number; the
seller makes the chair cheaper at the marketplace itself, and its clerk takes it down in the dashboard. At the end the events that
came, those of the feed, and the log of the ERP's calls are compared with what must be there.
"""

from __future__ import annotations

import json
import os
import random
import ssl
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import urllib3
from itembridge import Itembridge, ItembridgeError, verify_webhook

HOME = Path(os.environ.get("ITEMBRIDGE_HOME", ".itembridge"))
READY = json.loads((HOME / "ready.json").read_text())
URL, MARKET = READY["apiUrl"], READY["simulators"]["marketplace"]["adminUrl"]
EVENT_TYPES = [
    "item.created", "item.images_ready", "listing.created", "listing.ended", "listing.failed", "item.sold",
    "order.paid", "order.shipped", "order.cancelled", "item.changed",
]

Json = dict[str, Any]


class Receiver:
    """An HTTPS receiver that keeps the events whose signature is right."""

    def __init__(self) -> None:
        self.secret = ""
        self.events: list[Json] = []
        self._came = threading.Condition()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                receiver._take(verify_webhook(body, self.headers, receiver.secret))
                self.send_response(204)
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                pass

        server = HTTPServer(("127.0.0.1", 0), Handler)
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(HOME / "server.pem", HOME / "server.key")
        server.socket = tls.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.url = f"https://127.0.0.1:{server.server_port}/"

    def _take(self, event: Json) -> None:
        with self._came:
            self.events.append(event)
            self._came.notify_all()

    def wait_for(self, event_type: str, external_id: str, count: int = 1) -> Json:
        """The data of the event, or of the second, third … of its kind for the item."""

        def found() -> list[Json]:
            return [one["data"] for one in self.events if what(one) == (event_type, external_id)]

        with self._came:
            if not self._came.wait_for(lambda: len(found()) >= count, timeout=120):
                raise SystemExit(f"no {event_type} of {external_id} within two minutes; came: {list(map(what, self.events))}")
            return found()[count - 1]


def what(event: Json) -> tuple[str, str]:
    return event["eventType"], event["data"]["externalId"]


def market(method: str, path: str, body: object = None) -> Any:
    """What only the world outside can do: `adminUrl` of the simulator."""
    answer = urllib3.request(method, MARKET + path, json=body)
    if answer.status >= 400:
        raise SystemExit(f"{method} {path}: {answer.status} {answer.data.decode()}")
    return answer.json()


def until(condition: Callable[[], Any], of_what: str) -> Any:
    for _ in range(600):
        found = condition()
        if found:
            return found
        time.sleep(0.1)
    raise SystemExit(f"not within a minute: {of_what}")


def expect(is_right: object, of_what: str) -> None:
    if not is_right:
        raise SystemExit(f"not as expected: {of_what}")


def say(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')}  {text}", flush=True)


# The shop, its seller at the marketplace, and a key that may do no more than an ERP needs
seller, password = str(random.randint(400_000, 499_999)), "a long password 1"
email = f"shop{seller}{time.time_ns()}@example.se"
Itembridge(URL).request("POST", "/auth/register", {"email": email, "password": password, "name": "Lampor & Stolar"})
dashboard = Itembridge.sign_in(URL, email, password)
token = market("POST", "/users", {"userId": seller})["token"]
dashboard.request("PUT", "/partner/marketplace-connection", {"marketplaceUserId": seller, "token": token})
scopes = ["items:write", "orders:write", "webhooks:write"]
erp = Itembridge(URL, dashboard.request("POST", "/integration/api-keys/generate", {"name": "ERP", "scopes": scopes})["apiKey"])
receiver = Receiver()
feed_from = erp.request("GET", "/integration/events", query={"after": "now"})["nextCursor"]
receiver.secret = erp.request("POST", "/integration/v1/webhooks", {"url": receiver.url, "eventTypes": EVENT_TYPES})["secret"]
say("the shop is open")

# Morning: what is for sale
picture = READY["simulators"]["images"]["url"]
lamp = {
    "title": "Bordslampa i mässing", "description": "Tre likadana.", "price": 200, "quantity": 3, "autoPublishTradera": True,
    "imageUrls": [f"{picture}/kaffekanna-1.webp"],
    "listing": {"durationDays": 5, "reservePrice": 250, "buyNowPrice": 500, "vatPercent": 25},
}
erp.upsert("LAMPA", lamp)  # type: ignore[arg-type]
erp.upsert("STOL", {"title": "Pinnstol", "price": 100, "imageUrls": [], "autoPublishTradera": True})
try:
    erp.upsert("FEL", {"title": "", "price": 100, "imageUrls": []})
    raise SystemExit("an item without a title was taken")
except ItembridgeError as error:
    say(f"refused, as it must be: {error}")
for external_id in ("LAMPA", "STOL"):
    receiver.wait_for("listing.created", external_id)


def auctions(external_id: str) -> list[Json]:
    """Those at the marketplace, as they are there; the oldest first."""
    shown = market("GET", f"/listings?userId={seller}")["listings"]
    return [one for one in shown if external_id in one["ownReferences"] and one["state"] != "uncommitted"]


[first] = auctions("LAMPA")
terms = [first[name] for name in ("startPrice", "durationDays", "reservePrice", "buyItNowPrice", "vat")]
expect(terms == [200, 5, 250, 500, 25], f"the terms of the auction: {terms}")
say("lamps and chair are up, with their terms")

# A lamp is won, paid and sent; the next one goes up by itself
market("POST", f"/listings/{first['itemId']}/bids", {"amount": 420, "bidder": "Karin"})
market("POST", f"/listings/{first['itemId']}/end")
sold = receiver.wait_for("item.sold", "LAMPA")
expect((sold["salePrice"], sold["quantityLeft"]) == (420, 2), f"the first sale: {sold}")
order_id = sold["orderId"]
market("POST", f"/transactions/{order_id.removeprefix('ord_')}/pay")
expect(receiver.wait_for("order.paid", "LAMPA")["orderId"] == order_id, "the payment is of the order that was sold")


def read_order() -> Json:
    return erp.request("GET", f"/integration/v1/orders/{order_id}")


order = until(lambda: (one := read_order())["buyer"] and one, "the order has its buyer")
buyer = order["buyer"]
say(f"{order_id}: {buyer['name']}, {buyer['address']['line1']}, {buyer['address']['city']}, has paid {order['amount']} SEK")
sending = {"shipping": {"carrier": "PostNord", "trackingNumber": "UN123456789SE"}}
erp.request("PATCH", f"/integration/v1/orders/{order_id}", sending)
receiver.wait_for("order.shipped", "LAMPA")
shipping = read_order()["shipping"]
expect(shipping["trackingNumber"] == "UN123456789SE" and shipping["shippedAt"], f"sent with its number: {shipping}")

# The second lamp is bought at the fixed price
receiver.wait_for("listing.created", "LAMPA", 2)
market("POST", f"/listings/{auctions('LAMPA')[1]['itemId']}/buy")
sold = receiver.wait_for("item.sold", "LAMPA", 2)
expect((sold["salePrice"], sold["quantityLeft"]) == (500, 1), f"the second sale: {sold}")
receiver.wait_for("listing.created", "LAMPA", 3)
expect(erp.status("LAMPA")["quantity"] == 1, "one lamp is left")
say("two lamps are sold, the third is up")

# What others do: the seller at the marketplace, a clerk in the dashboard
until(lambda: erp.get("STOL")["auction"]["seenAt"], "the service has looked at the chair's auction")  # type: ignore[index]
market("POST", f"/listings/{auctions('STOL')[0]['itemId']}/price", {"price": 80})
changed = receiver.wait_for("item.changed", "STOL")
expect((changed["what"], changed["by"], changed["price"]) == ("price", "marketplace", 80), f"the price: {changed}")
dashboard.request("PATCH", "/partner/items/STOL/status", {"status": "not_listed"})
changed = receiver.wait_for("item.changed", "STOL", 2)
expect((changed["what"], changed["by"]) == ("taken_down", "dashboard"), f"taken down: {changed}")
until(lambda: auctions("STOL")[0]["state"] == "removed", "the chair is off the marketplace")
say("the chair became cheaper at the marketplace, and was taken down in the dashboard")

# Evening: nothing is missing, and nothing came twice
expected = {
    "LAMPA": ["item.created", "item.images_ready", "listing.created", "item.sold", "order.paid", "order.shipped",
              "listing.created", "item.sold", "listing.created"],
    "STOL": ["item.created", "listing.created", "item.changed", "item.changed"],
}
feed: list[Json] = []
cursor = feed_from
while (page := erp.request("GET", "/integration/events", query={"after": cursor, "types": ",".join(EVENT_TYPES)}))["events"]:
    feed += page["events"]
    cursor = page["nextCursor"]
for name, events in (("webhooks", receiver.events), ("feed", feed)):
    expect(len({one["eventId"] for one in events}) == len(events), f"{name}: each event once")
    for external_id, types in expected.items():
        own = [one for one in events if one["data"]["externalId"] == external_id]
        came = [one["eventType"] for one in sorted(own, key=lambda one: one["data"]["sequence"])]
        expect(sorted(came) == sorted(types), f"{name}: events of {external_id}: {came}")
    expect(len(events) == sum(map(len, expected.values())), f"{name}: nothing else")
say(f"{len(feed)} events, each once, by webhook and in the feed")

calls = [
    ("POST", "/integration/v1/webhooks", 201, []),
    ("PUT", "/integration/v1/items/LAMPA", 202, []),
    ("PUT", "/integration/v1/items/STOL", 202, []),
    ("PUT", "/integration/v1/items/FEL", 422, ["title"]),
    ("PATCH", f"/integration/v1/orders/{order_id}", 200, []),
]


def logged() -> list[tuple[str, str, int, list[str]]]:
    rows = reversed(erp.request("GET", "/integration/v1/request-log", query={"limit": 500})["calls"])
    return [(row["method"], row["path"], row["status"], row["fields"]) for row in rows if row["method"] != "GET"]


until(lambda: len(logged()) >= len(calls), "the log has every call")
expect(logged() == calls, f"the log of calls: {logged()}")
for method, path, status, fields in calls:
    say(f"log: {status} {method} {path} {' '.join(fields)}")
print("everything as expected")
