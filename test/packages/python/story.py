"""What an ERP does with the package, at a real service; prints what it saw as JSON."""

import json
import os

from itembridge import Itembridge, ItembridgeError, verify_webhook
from itembridge.models import BatchRow, ItemRequest

url, key = os.environ["ITEMBRIDGE_URL"], os.environ["ITEMBRIDGE_API_KEY"]
item: ItemRequest = {"title": "Bromsskiva", "price": 149999.99, "imageUrls": [], "domain": {"domain": "bildelar"}}
seen: dict[str, object] = {}


def row_of(external_id: str) -> BatchRow:
    return {"externalId": external_id, "title": "Bromsskiva", "price": 450, "imageUrls": []}



with Itembridge(url, key, application="my-erp/3.1") as client:
    seen["checked"] = client.check("A/1 å", item)["message"]
    seen["created"] = client.upsert("A/1 å", item, only_new=True)["message"]
    seen["price"] = client.get("A/1 å")["price"]
    try:
        client.upsert("A-2", {**item, "title": "", "price": 0})
    except ItembridgeError as error:
        seen["refused"] = str(error).replace(error.request_id or "?", "ID")
        seen["code"] = [error.status, error.code]
    try:
        client.upsert("A/1 å", item, if_match='"another"')
    except ItembridgeError as error:
        seen["conditional"] = error.status
    seen["batch"] = [row["status"] for row in client.upsert_many([row_of("B-1")])["results"]]
    client.set_price("B-1", 10.5)
    seen["listed"] = sorted(entry["externalId"] for entry in client.items(limit=1))
    seen["events"] = [event["eventType"] for event in client.events()]
    check = client.bulk_syncs.check(row_of(f"C-{number}") for number in range(3))
    seen["bulk"] = [check["total"], check["failed"]]
    client.delete("B-1")
    seen["categories"] = len(client.request("GET", "/categories"))

with Itembridge.sign_in(url, os.environ["EMAIL"], os.environ["PASSWORD"]) as dashboard:
    endpoint = dashboard.request("POST", "/integration/webhooks", {"url": "https://erp.example.se/hook"})
    seen["endpoint"] = dashboard.request("GET", f"/integration/webhooks/{endpoint['id']}")["url"]

event = verify_webhook(os.environ["BODY"].encode(), json.loads(os.environ["HEADERS"]), os.environ["SECRET"])
seen["event"] = event["eventType"]
print(json.dumps(seen, ensure_ascii=False))
