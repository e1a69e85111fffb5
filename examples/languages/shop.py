"""A shop in Python: python3 shop.py"""

import os
import re
import time
from wsgiref.simple_server import make_server

import paywindow

# Your database. A total is text: str() of a Decimal, never of a float.
ORDERS = {"order-7": {"number": "2026-0007", "total": "49.90"}}


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
        return_url=f"https://shop.example/orders/{order_id}",
    )


def take_event(environ):
    """Take an event of the payment server. Return the status and the text of the answer."""
    try:
        secrets = os.environ["PAYWINDOW_EVENT_SECRETS"].split()
        event = paywindow.verify_event(read_body(environ), environ, secrets)
    except paywindow.InvalidEvent as reason:
        return "400 Bad Request", str(reason)
    record(environ["HTTP_WEBHOOK_ID"], event)
    return "204 No Content", ""


def record(event_id, event):
    """Yours: store the id with what the event causes, in one transaction. An event can come twice."""
    print(event_id, event["type"], event["data"]["order"], flush=True)


def read_body(environ):
    # One byte more than an event may have is refused, and none after it is read.
    length = min(int(environ.get("CONTENT_LENGTH") or 0), paywindow.MOST_BODY_BYTES + 1)
    return environ["wsgi.input"].read(max(0, length))


def application(environ, start_response):
    method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
    order = re.fullmatch(r"/orders/([\w-]+)/pay", path)
    status, text, headers = "404 Not Found", "", []
    if method == "POST" and path == "/events":
        status, text = take_event(environ)
    elif order and order[1] in ORDERS:
        status, headers = "303 See Other", [("location", payment_link(order[1]))]
    start_response(status, [("content-type", "text/plain"), *headers])
    return [text.encode()]


if __name__ == "__main__":
    make_server("localhost", int(os.environ.get("PORT", 3001)), application).serve_forever()
