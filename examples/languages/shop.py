"""A shop in Python: python3 shop.py"""

import hmac
import json
import os
import re
import sys
import time
from wsgiref.simple_server import make_server

import paywindow

# Your database. A total is text: str() of a Decimal, never of a float.
ORDERS = {"order-7": {"number": "2026-0007", "total": "49.90"}}
# Your table of events. Here it is a file with a line for each.
EVENTS = os.environ.get("EVENTS_FILE", "events.jsonl")
# Whether this is a test shop: no money has moved for an event with test, and a live shop sends nothing for it.
IS_TEST = os.environ.get("PAYWINDOW_TEST") == "yes"
# Signs the orders in addresses. With an empty one, everybody could.
ORDER_SECRET = os.environ.get("ORDER_SECRET", "")
if not ORDER_SECRET.strip():
    sys.exit("ORDER_SECRET is not set: make it with openssl rand -hex 32")

# The status of an order, by the newest event of each of its payments. The first that fits counts.
STATUSES = {
    "paid": ("paid", "paid_twice"),
    "stopped": ("taken_back",),
    "held": ("seen", "short", "over", "late", "wrong_price"),
    "cancelled": ("lapsed",),
    "open": ("ended", "returned", "test"),
}


def signed(order_id):
    """Name an order as its customer's pages and mails do: anybody can guess order-7, and nobody else can sign it."""
    return f"{order_id}.{paywindow.link_signature(order_id, ORDER_SECRET)}"


def payment_link(order_id):
    """Return where an order is paid."""
    return paywindow.payment_link(
        page=os.environ["PAYWINDOW_PAGE"],  # https://pay.shop.example/paywindow/pay
        secret=os.environ["PAYWINDOW_LINK_SECRET"],
        order=order_id,
        expires_at=int(time.time()) + 7 * 86_400,
        amount=ORDERS[order_id]["total"],
        asset="EUR",
        number=ORDERS[order_id]["number"],
        return_url=f"https://shop.example/orders/{signed(order_id)}",
    )


def take_event(environ):
    """Take an event of the payment server. Return the status and the text of the answer."""
    try:
        secrets = os.environ["PAYWINDOW_EVENT_SECRETS"].split()
        event = paywindow.verify_event(read_body(environ), environ, secrets)
    except paywindow.InvalidEvent as reason:
        return "400 Bad Request", str(reason)
    if event["data"]["order"] not in ORDERS:
        return "404 Not Found", "There is no such order."
    record(event)
    if is_refused(event):
        order = event["data"]["order"]
        print(f"TEST, no money has moved for {order}: this shop is live, and does nothing.", file=sys.stderr)
    return "204 No Content", ""


def is_refused(event):
    return event["data"].get("test", False) and not IS_TEST


def record(event):
    """Yours: store an event. It can come twice, which changes nothing."""
    with open(EVENTS, "a", encoding="utf-8") as file:
        # The end of the line comes first, so that half a line of a crash spoils no other.
        file.write("\n" + json.dumps(event))
        file.flush()
        os.fsync(file.fileno())


def payments(order_id):
    """Return what the newest event of each payment of an order says."""
    newest = {}
    for event in read_events():
        data = event["data"]
        kind = "test" if is_refused(event) else event["type"].removeprefix("payment.")
        if data["order"] != order_id or not any(kind in kinds for kinds in STATUSES.values()):
            continue
        is_right = (data["price"]["asset"], data["price"]["amount"]) == ("EUR", ORDERS[order_id]["total"])
        if kind in STATUSES["paid"] and not is_right:
            kind = "wrong_price"
        last_at, last = newest.get(data["checkout"], ("", ""))
        # What was taken back stays so until it is paid again.
        is_next = last != "taken_back" or kind in STATUSES["paid"]
        # A lapse is told beside the news of a payment, perhaps by a server whose clock is ahead.
        is_new = data["at"] > last_at or (data["at"] == last_at and last != "lapsed")
        if is_new and is_next:
            newest[data["checkout"]] = last_at if kind == "lapsed" else data["at"], kind
    return sorted(kind for _, kind in newest.values())


def read_events():
    if not os.path.exists(EVENTS):
        return
    with open(EVENTS, encoding="utf-8") as file:
        for line in file:
            try:
                yield json.loads(line)
            except ValueError:
                pass  # Half a line of a crash: its event comes again.


def status(kinds):
    """Return what to do: see STATUSES."""
    return next((status for status, causes in STATUSES.items() if any(kind in causes for kind in kinds)), "open")


def read_body(environ):
    # One byte more than an event may have is refused, and none after it is read.
    length = paywindow.MOST_BODY_BYTES + 1
    # A body in chunks comes without its length, and only from a server that knows its end.
    if not environ.get("wsgi.input_terminated"):
        length = min(int(environ.get("CONTENT_LENGTH") or 0), length)
    return environ["wsgi.input"].read(max(0, length))


def application(environ, start_response):
    method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
    order = re.fullmatch(r"/orders/(([\w-]+)\.[\w-]+)(/pay)?", path, re.ASCII)
    is_signed = order and order[2] in ORDERS and hmac.compare_digest(order[1], signed(order[2]))
    answer, text, headers = "404 Not Found", "", [("content-type", "text/plain")]
    if method == "POST" and path == "/events":
        answer, text = take_event(environ)
    elif is_signed and order[3]:
        answer, headers = "303 See Other", [("location", payment_link(order[2]))]
    elif is_signed:
        kinds = payments(order[2])
        answer, headers = "200 OK", [("content-type", "application/json")]
        text = json.dumps({"status": status(kinds), "payments": kinds})
    start_response(answer, headers)
    return [text.encode()]


if __name__ == "__main__":
    make_server("localhost", int(os.environ.get("PORT", 3001)), application).serve_forever()
