"""The story of README.md with what openapi-generator makes for Python."""

import json
import os

import openapi_client
from openapi_client import ApiException, AutoPartsDomain, ItemDomain, ItemRequest

configuration = openapi_client.Configuration(
    host=os.environ["ITEMBRIDGE_URL"], api_key={"apiKey": os.environ["ITEMBRIDGE_API_KEY"]}
)
api = openapi_client.ItemsApi(openapi_client.ApiClient(configuration))

part = ItemDomain(AutoPartsDomain(domain="auto_parts", condition_grade="A*"))
request = ItemRequest(title="Strålkastare Volvo V70", price=149999.99, image_urls=[], domain=part)
created = api.upsert_item("CHECK-1", request)
api.upsert_item("CHECK-2", ItemRequest(title="Emaljkanna, blå", price=149.5, image_urls=[]))

item = api.get_item("CHECK-1", view="full").actual_instance

try:
    wrong = ItemRequest(title="Backspegel", price=149.999, image_urls=["http://images.example.com/1.jpg"])
    api.upsert_item("CHECK-3", wrong)
    raise AssertionError("the wrong item was taken")
except ApiException as error:
    refused = error

listed = []
cursor = None
while cursor is not None or listed == []:
    page = api.list_items(limit=1, cursor=cursor)
    listed += [entry.external_id for entry in page.items]
    cursor = page.next_cursor

print(
    json.dumps(
        {
            "message": created.message,
            "price": item.price,
            "status": refused.status,
            "code": refused.data.code,
            "fields": [problem.var_field for problem in refused.data.details],
            "listed": listed,
        }
    )
)
