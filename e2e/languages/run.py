"""Calls examples/languages/paywindow.py as standard input says, and prints what each call gave."""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "examples" / "languages"))
import paywindow

now_and_calls = json.load(sys.stdin)
now = now_and_calls["now"]


def call(does, payload=None, secret=None, page=None, claims=None, body=None, headers=None, secrets=None):
    if does == "sign":
        return paywindow.link_signature(payload, secret)
    if does == "link":
        names = {"exp": "expires_at", "returnUrl": "return_url"}
        named = {names.get(name, name): value for name, value in claims.items()}
        return paywindow.payment_link(page=page, secret=secret, now=now, **named)
    return paywindow.verify_event(body.encode(), headers, secrets, now)


def tried(each):
    try:
        return {"value": call(**each)}
    except paywindow.InvalidEvent as error:
        return {"invalid": str(error)}
    except ValueError as error:
        return {"error": str(error)}


print(json.dumps([tried(each) for each in now_and_calls["calls"]]))
