"""The story of README.md with what openapi-python-client makes."""

import json
import os

from client import AuthenticatedClient
from client.api.items import get_item, list_items, upsert_item
from client.models.auto_parts import AutoParts
from client.models.auto_parts_slug import AutoPartsSlug
from client.models.condition_grade import ConditionGrade
from client.models.error_body import ErrorBody
from client.models.item_full import ItemFull
from client.models.item_list import ItemList
from client.models.item_request import ItemRequest
from client.models.item_view import ItemView
from client.models.upsert_response import UpsertResponse

api = AuthenticatedClient(
    base_url=os.environ["ITEMBRIDGE_URL"],
    token=os.environ["ITEMBRIDGE_API_KEY"],
    auth_header_name="x-api-key",
    prefix="",
)

part = AutoParts(domain=AutoPartsSlug.AUTO_PARTS, condition_grade=ConditionGrade.A_STAR)
created = upsert_item.sync(
    "CHECK-1",
    client=api,
    body=ItemRequest(title="Strålkastare Volvo V70", price=149999.99, image_urls=[], domain=part),
)
assert isinstance(created, UpsertResponse)
upsert_item.sync("CHECK-2", client=api, body=ItemRequest(title="Emaljkanna, blå", price=149.5, image_urls=[]))

item = get_item.sync("CHECK-1", client=api, view=ItemView.FULL)
assert isinstance(item, ItemFull)

wrong = ItemRequest(title="Backspegel", price=149.999, image_urls=["http://images.example.com/1.jpg"])
refused = upsert_item.sync_detailed("CHECK-3", client=api, body=wrong)
assert isinstance(refused.parsed, ErrorBody)

listed = []
cursor = None
while cursor is not None or listed == []:
    page = list_items.sync(client=api, limit=1, **({} if cursor is None else {"cursor": cursor}))
    assert isinstance(page, ItemList)
    listed += [entry.external_id for entry in page.items]
    cursor = page.next_cursor

print(
    json.dumps(
        {
            "message": created.message,
            "price": item.price,
            "status": refused.status_code,
            "code": refused.parsed.code,
            "fields": [problem.field for problem in refused.parsed.details],
            "listed": listed,
        }
    )
)
