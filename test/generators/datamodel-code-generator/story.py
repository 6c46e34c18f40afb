"""The story of README.md with the models of datamodel-code-generator, and Python's own HTTP client."""

import json
import os
import urllib.error
import urllib.request

from models import (
    AutoPartsDomain,
    ConditionGrade,
    ErrorBody,
    ItemDomain,
    ItemFull,
    ItemList,
    ItemRequest,
    UpsertResponse,
)

items = os.environ["ITEMBRIDGE_URL"] + "/integration/v1/items"


def call(method, path, model, body=None):
    data = None if body is None else body.model_dump_json(exclude_none=True).encode()
    headers = {"x-api-key": os.environ["ITEMBRIDGE_API_KEY"], "content-type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(items + path, data, headers, method=method)) as answer:
        return model.model_validate_json(answer.read())


part = ItemDomain(AutoPartsDomain(domain="auto_parts", conditionGrade=ConditionGrade.A_STAR))
request = ItemRequest(title="Strålkastare Volvo V70", price=149999.99, imageUrls=[], domain=part)
created = call("PUT", "/CHECK-1", UpsertResponse, request)
call("PUT", "/CHECK-2", UpsertResponse, ItemRequest(title="Emaljkanna, blå", price=149.5, imageUrls=[]))

item = call("GET", "/CHECK-1?view=full", ItemFull)

try:
    wrong = ItemRequest(title="Backspegel", price=149.999, imageUrls=["http://images.example.com/1.jpg"])
    call("PUT", "/CHECK-3", UpsertResponse, wrong)
    raise AssertionError("the wrong item was taken")
except urllib.error.HTTPError as error:
    status, refused = error.code, ErrorBody.model_validate_json(error.read())

listed = []
cursor = None
while cursor is not None or listed == []:
    page = call("GET", "?limit=1" + ("" if cursor is None else f"&cursor={cursor}"), ItemList)
    listed += [entry.externalId for entry in page.items]
    cursor = page.nextCursor

print(
    json.dumps(
        {
            "message": created.message,
            "price": item.price,
            "status": status,
            "code": refused.code.value,
            "fields": [problem.field for problem in refused.details],
            "listed": listed,
        }
    )
)
