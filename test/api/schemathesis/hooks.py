"""What the tool can't know: how values of our own formats look (schemas/formats.ts), and which failures are none."""

import collections
import hashlib
import hmac
import itertools
import json
import os
import time
from urllib.parse import quote

import schemathesis
from hypothesis import strategies as st


def isbn13(digits: str) -> str:
    body = "978" + digits
    total = sum(int(digit) * (1 if place % 2 == 0 else 3) for place, digit in enumerate(body))
    return body + str(-total % 10)


plain_characters = st.characters(exclude_characters="\0", exclude_categories=["Cs"])
word = st.from_regex(r"[a-z]{1,12}", fullmatch=True)


@schemathesis.hook
def map_body(context, body):
    """Amounts are in SEK with at most two decimals (x-sek-amount), and keywords can't be registered."""
    return rounded(body)


@schemathesis.hook
def map_headers(context, headers):
    """Any invented member is 403, and nothing behind it would be reached: the API's own tests act for members."""
    return {name: value for name, value in (headers or {}).items() if name.lower() != "x-partner-account"}


# Longer than any of our query parameters may be.
LONG = 4_000
keys = itertools.count()
turns = collections.defaultdict(itertools.count)
# What earlier answers gave: requests that know of nothing would not get far.
people, refresh_tokens, orders = [], [], []
unsold_items = [f"unsold-{number}" for number in range(int(os.environ["SCHEMATHESIS_UNSOLD_ITEMS"]))]
TIMES = {"updatedSince": "2026-01-01T00:00:00Z", "from": "2026-01-01", "since": "2026-01-01", "to": "2036-01-01", "until": "2036-01-01"}


@schemathesis.hook
def map_case(context, case):
    if case.meta is not None and case.meta.generation.mode.is_positive:
        make_headers_right(case)
        make_query_right(case)
        use_what_is_known(case)
    keep_within_headers(case)
    return case


def keep_within_headers(case):
    """A request line of more than 16 KB is 431 before any operation reads it. What is too long for its schema stays so."""
    for name, value in (case.query or {}).items():
        if isinstance(value, str) and len(quote(value)) > LONG:
            case.query[name] = "x" * min(len(value), LONG)


def make_headers_right(case):
    """The tool puts 0 where it needs any header, even if the schema's pattern forbids it, and then calls that valid.
    A key names one request: with the same one for all, each but the first would be another body under a known key."""
    if (case.headers or {}).get("Idempotency-Key") is not None:
        case.headers["Idempotency-Key"] = f"request-{next(keys)}"
    for name in ("If-Match", "If-None-Match"):
        if (case.headers or {}).get(name) == "0":
            case.headers[name] = "*"


def make_query_right(case):
    """A time may be written in several ways, which no format names. An invented cursor is 400: every other page is the first."""
    query = case.query or {}
    for name in TIMES.keys() & query.keys():
        query[name] = TIMES[name]
    if "cursor" in query and next(turns[case.operation.path]) % 2 == 0:
        del query["cursor"]


def use_what_is_known(case):
    """An email address and a password are more than their schemas say; the others are right without it, only that nobody has them: every other time."""
    operation = f"{case.method.upper()} {case.operation.path}"
    body = case.body if isinstance(case.body, dict) else {}
    if operation == "POST /auth/register":
        body["email"] = f"person-{next(keys)}@example.se"
        body["password"] = "three words in a row"
    elif next(turns[operation]) % 2 == 1:
        return
    elif operation == "POST /auth/login" and people:
        body.update(people[-1])
    elif operation in ("POST /auth/refresh", "POST /auth/logout") and refresh_tokens:
        case.cookies = {"refresh_token": refresh_tokens.pop()}
    elif operation == "POST /partner/orders" and unsold_items:
        body["externalId"] = unsold_items.pop()
    elif operation.endswith("/partner/orders/{id}") and orders:
        case.path_parameters["id"] = orders[-1]


@schemathesis.hook
def before_call(context, case, kwargs):
    """The newest session, which the list leads to, may be the one that all is called with: the API's own tests end sessions."""
    if case.operation.path.endswith("/auth/sessions/{id}") and case.path_parameters:
        case.path_parameters["id"] = "00000000-0000-4000-8000-000000000000"


@schemathesis.serializer("application/x-ndjson")
def one_line(context, value):
    """A stream of lines has the schema of one of them."""
    return value if isinstance(value, bytes) else (json.dumps(value) + "\n").encode()


@schemathesis.hook
def after_call(context, case, response):
    if response.status_code not in (200, 201):
        return
    operation = f"{case.method.upper()} {case.operation.path}"
    if operation == "POST /auth/register":
        people.append({name: case.body[name] for name in ("email", "password")})
    elif operation == "POST /partner/orders":
        orders.append(response.json()["id"])
    for cookie in response.headers.get("set-cookie", []):
        if cookie.startswith("refresh_token="):
            refresh_tokens.append(cookie.split(";")[0].removeprefix("refresh_token="))


@schemathesis.hook
def before_call(context, case, kwargs):
    """An event of the payment processor is right only with a signature of its bytes, which are what `requests` makes of the body."""
    is_right = case.meta is not None and case.meta.generation.mode.is_positive
    if is_right and context.operation.path == "/stripe/webhook" and isinstance(case.body, dict):
        signed = f"{int(time.time())}.{json.dumps(case.body)}"
        secret = os.environ["SCHEMATHESIS_PAYMENT_SECRET"].encode()
        digest = hmac.new(secret, signed.encode(), hashlib.sha256).hexdigest()
        case.headers["Stripe-Signature"] = f"t={signed.split('.', 1)[0]},v1={digest}"


def rounded(value):
    if isinstance(value, dict):
        return {key: two_decimals(part) if key in AMOUNTS else rounded(part) for key, part in value.items()}
    return [rounded(part) for part in value] if isinstance(value, list) else value


AMOUNTS = {"price", "shippingCost", "amount"}


def two_decimals(value):
    return round(value, 2) if isinstance(value, float) else value


schemathesis.openapi.format("plain-text", st.text(alphabet=plain_characters))
without_breaks = st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1)
schemathesis.openapi.format("title", without_breaks.filter(lambda title: title.strip() != ""))
schemathesis.openapi.format("https-url", word.map(lambda path: f"https://images.example.com/{path}"))
schemathesis.openapi.format("isbn", st.from_regex(r"[0-9]{9}", fullmatch=True).map(isbn13))
schemathesis.openapi.format("language-tag", st.sampled_from(["sv", "en-GB", "zh-Hant-TW", "SV-se"]))
# A PNG of one pixel.
LOGO = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
schemathesis.openapi.format("logo", st.just(LOGO))
schemathesis.openapi.format("registration-plate", st.from_regex(r"[A-HJ-P]{3} ?[0-9]{2}[0-9A-F]", fullmatch=True))
