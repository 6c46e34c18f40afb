"""What the tool can't know: how values of our own formats look (schemas/formats.ts), and which failures are none."""

import itertools

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
    """Amounts are in SEK with at most two decimals (format sek-amount), and formats of numbers can't be registered."""
    return rounded(body)


@schemathesis.hook
def map_headers(context, headers):
    """Any invented member is 403, and nothing behind it would be reached: the API's own tests act for members."""
    return {name: value for name, value in (headers or {}).items() if name.lower() != "x-partner-account"}


keys = itertools.count()


@schemathesis.hook
def map_case(context, case):
    """The tool puts 0 where it needs any header, even if the schema's pattern forbids it, and then calls that valid.
    A key names one request: with the same one for all, each but the first would be another body under a known key."""
    if case.meta is not None and case.meta.generation.mode.is_positive:
        if (case.headers or {}).get("Idempotency-Key") is not None:
            case.headers["Idempotency-Key"] = f"request-{next(keys)}"
        for name in ("If-Match", "If-None-Match"):
            if (case.headers or {}).get(name) == "0":
                case.headers[name] = "*"
    return case


def rounded(value):
    if isinstance(value, dict):
        return {key: two_decimals(part) if key in AMOUNTS else rounded(part) for key, part in value.items()}
    return [rounded(part) for part in value] if isinstance(value, list) else value


AMOUNTS = {"price", "shippingCost", "amount"}


def two_decimals(value):
    return round(value, 2) if isinstance(value, float) else value


schemathesis.openapi.format("plain-text", st.text(alphabet=plain_characters))
one_line = st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1)
schemathesis.openapi.format("title", one_line.filter(lambda title: title.strip() != ""))
schemathesis.openapi.format("https-url", word.map(lambda path: f"https://images.example.com/{path}"))
schemathesis.openapi.format("isbn", st.from_regex(r"[0-9]{9}", fullmatch=True).map(isbn13))
schemathesis.openapi.format("language-tag", st.sampled_from(["sv", "en-GB", "zh-Hant-TW", "SV-se"]))
schemathesis.openapi.format("registration-plate", st.from_regex(r"[A-HJ-P]{3} ?[0-9]{2}[0-9A-F]", fullmatch=True))
