"""Payment links and signed events of Paywindow, for a shop in Python 3.9 or later.

Copy this file: it needs the standard library only.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from typing import Any, Iterable, Mapping

__all__ = ["MOST_BODY_BYTES", "InvalidEvent", "link_signature", "payment_link", "verify_event"]

# Controls, ends of lines, and characters that nobody sees or that turn the direction of others: Cc,
# Cf, Zl, Zp and default ignorable in Unicode 17. Joiners may follow what is not ASCII.
UNSEEN = re.compile(
    "[\0-\x1f\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890-\u0891\u08e2"
    "\u115f-\u1160\u17b4-\u17b5\u180b-\u180f\u200b\u200e-\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\U000110bd\U000110cd"
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
    "|(?:^|[\0-\x7f])[\u200c\u200d\ufe0f]"
)
# The path has the characters of RFC 3986, and the host no user before it: shop.example@elsewhere.
ADDRESS = re.compile(r"https://[A-Za-z0-9.-]+(?::[0-9]{1,5})?(?:[/?#][!#-;=?-\[\]_a-z~]*)?")
PAGE = re.compile(
    r"(?:https://[A-Za-z0-9.-]+|http://(?:localhost|127\.0\.0\.1))(?::[0-9]{1,5})?/(?:[!$-;=@-\[\]_a-z~]*/)?pay/?"
)
AMOUNT = re.compile(r"(?=.*[1-9])(?:0|[1-9][0-9]{0,29})(?:\.[0-9]{1,18})?")

MOST_BODY_BYTES = 1_048_576
TOLERANCE_S = 300
LONGEST_LINK_S = 366 * 86_400


class InvalidEvent(Exception):
    """An event that is not to be believed: answer 400. The message is the reason."""


def payment_link(
    *,
    page: str,
    secret: str | None,
    order: str,
    expires_at: int,
    amount: str | None = None,
    asset: str | None = None,
    number: str | None = None,
    return_url: str | None = None,
    now: int | None = None,
) -> str:
    """Return the address where an order is paid.

    page: `page.url` of the payment server, https://pay.shop.example/paywindow/pay.
    secret: its `linkSecret`.
    order: your name for the order, which events repeat.
    expires_at: when the link ends, in seconds since 1970.
    amount, asset: the price, as text: "49.90" and "EUR". Neither, if your `offer` knows it.
    number: what people call the order.
    return_url: where the payer goes afterwards.
    now: for tests.

    Raises ValueError, which says what to do.
    """
    now = int(time.time()) if now is None else now
    if not _is_text(page, 2000) or not PAGE.fullmatch(page):
        raise ValueError("page must be page.url of the payment server: https://pay.shop.example/paywindow/pay")
    if not isinstance(secret, str) or _length(secret) < 32:
        raise ValueError("secret must be linkSecret of the payment server, 32 characters or more: openssl rand -hex 32")
    if not _is_text(order, 200):
        raise ValueError("order must be text of 1 to 200 characters that can be seen")
    # True is an int, too.
    if type(expires_at) is not int or not now < expires_at <= now + LONGEST_LINK_S:
        raise ValueError("exp must be in the next 366 days, in seconds since 1970")
    claims: dict[str, Any] = {"order": order, "exp": expires_at}
    if amount is not None or asset is not None:
        if amount is None or asset is None:
            raise ValueError("amount and asset belong together: give both, or neither")
        # A float has no cents: 0.1 + 0.2 is 0.30000000000000004.
        if not isinstance(amount, str) or not AMOUNT.fullmatch(amount):
            raise ValueError("amount must be text above zero such as '49.90', no float, sign, comma or exponent")
        if not _is_text(asset, 32):
            raise ValueError("asset must be text of 1 to 32 characters such as 'EUR'")
        claims.update(amount=amount, asset=asset)
    if number is not None:
        if not _is_text(number, 64):
            raise ValueError("number must be text of 1 to 64 characters that can be seen")
        claims["number"] = number
    if return_url is not None:
        if not _is_text(return_url, 1000) or not ADDRESS.fullmatch(return_url):
            raise ValueError("returnUrl must be an https address of at most 1000 characters, percent-encoded")
        claims["returnUrl"] = return_url
    payload = _base64url(json.dumps(claims, ensure_ascii=False, separators=(",", ":")).encode())
    return f"{page}?link={payload}.{link_signature(payload, secret)}"


def link_signature(payload: str, secret: str) -> str:
    """Return the part of a link's token behind the dot."""
    return _base64url(hmac.new(secret.encode(), payload.encode(), hashlib.sha256).digest())


def verify_event(
    body: bytes, headers: Mapping[str, Any], secrets: str | Iterable[str], now: int | None = None
) -> dict[str, Any]:
    """Return the event of a request to your endpoint of events.

    body: the raw body. What a framework has parsed and written again has another signature.
    headers: of the request, in any spelling, or the `environ` of WSGI.
    secrets: whsec_…; two while one is changed.
    now: seconds since 1970, for tests.

    An event can come twice: store its header webhook-id with what it causes.

    Raises InvalidEvent, and ValueError for a secret that is none.
    """
    keys = [_event_key(secret) for secret in ([secrets] if isinstance(secrets, str) else secrets)]
    if not keys:
        raise _wrong_secret()
    if not isinstance(body, bytes):
        raise ValueError("body must be the raw bytes of the request")
    now = int(time.time()) if now is None else now
    if len(body) > MOST_BODY_BYTES:
        raise InvalidEvent("the body is larger than 1 MiB")
    event_id, timestamp, signatures = (
        _header(headers, name) for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    )
    if not re.fullmatch("[0-9]{1,10}", timestamp):
        raise InvalidEvent("webhook-timestamp is no time in seconds")
    if int(timestamp) < now - TOLERANCE_S:
        raise InvalidEvent("webhook-timestamp is more than 5 minutes ago")
    if int(timestamp) > now + TOLERANCE_S:
        raise InvalidEvent("webhook-timestamp is more than 5 minutes ahead")
    signed = _bytes(f"{event_id}.{timestamp}.") + body
    expected = [b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()) for key in keys]
    # Bytes, because compare_digest throws for text that is not ASCII.
    given = [_bytes(signature) for signature in signatures.split(" ")]
    if not any(hmac.compare_digest(one, other) for one in expected for other in given):
        raise InvalidEvent("webhook-signature matches no secret: it is another, or the body was changed")
    try:
        event = json.loads(body.decode())
    except ValueError:
        event = None
    if not isinstance(event, dict):
        raise InvalidEvent("the body is no JSON object")
    return event


def _header(headers: Mapping[str, Any], name: str) -> str:
    # WSGI calls webhook-id HTTP_WEBHOOK_ID.
    cgi_name = f"http-{name}"
    found = [value for key, value in headers.items() if str(key).lower().replace("_", "-") in (name, cgi_name)]
    values = [each for value in found for each in (value if isinstance(value, (list, tuple)) else [value])]
    if len(values) > 1:
        raise InvalidEvent(f"{name} is there twice")
    if not values or not isinstance(values[0], str) or values[0] == "":
        raise InvalidEvent(f"{name} is missing")
    return values[0]


def _event_key(secret: str) -> bytes:
    if not isinstance(secret, str) or not secret.startswith("whsec_"):
        raise _wrong_secret()
    text = secret[len("whsec_") :]
    try:
        key = base64.b64decode(text, validate=True)
    except (ValueError, binascii.Error):
        raise _wrong_secret() from None
    # Without padding, or with stray bits, it may be cut off.
    if base64.b64encode(key).decode() != text or not 24 <= len(key) <= 64:
        raise _wrong_secret()
    return key


def _wrong_secret() -> ValueError:
    return ValueError("secrets must be one or more of whsec_ and base64 of 24 to 64 bytes, as the payment server has them")


def _is_text(value: Any, most: int) -> bool:
    return isinstance(value, str) and 1 <= _length(value) <= most and not UNSEEN.search(value)


def _length(text: str) -> int:
    """Count as the payment server does, in UTF-16; 0 for half of a character, which has no bytes."""
    try:
        return len(text.encode("utf-16-le")) // 2
    except UnicodeEncodeError:
        return 0


def _bytes(text: str) -> bytes:
    # No two headers become the same bytes.
    return text.encode("utf-8", "surrogatepass")


def _base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
