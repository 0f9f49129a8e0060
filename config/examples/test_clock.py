"""Walks through a month of scheduled mail with pytest, in a second. Start the sandbox first, in CI as a background step:

    mailstead sandbox --clock manual

MAILSTEAD_URL is its address, when that is not the usual one. Needs nothing but Python's own library.
"""

import json
import os
from datetime import datetime, timedelta
from urllib.request import Request, urlopen

URL = os.environ.get("MAILSTEAD_URL", "http://127.0.0.1:3000")


def api(method, path, body=None):
    headers = {"Authorization": "Bearer sk_sandbox", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(URL + path, data, headers, method=method)) as response:
        return json.load(response)


def turn(advance):
    """Turns the clock. Everything that became due on the way is done when this returns."""
    return api("POST", "/sandbox/clock", {"advance": advance})


def sent_in(turned):
    return [(one["to"], one["subject"]) for one in turned["happened"] if one["what"] == "email"]


def plan(subject, days):
    """Plans a mail to everybody in so many days."""
    now = datetime.fromisoformat(api("GET", "/sandbox/clock")["now"].replace("Z", "+00:00"))
    content = {"name": subject, "subject": subject, "body": f"<p>{subject}</p>"}
    sender = {"from": "hello@example.com", "audienceType": "ALL"}
    campaign = api("POST", "/campaigns", {**content, **sender})["data"]
    scheduled_for = (now + timedelta(days=days)).isoformat()
    api("POST", f"/campaigns/{campaign['id']}/send", {"scheduledFor": scheduled_for})


def test_three_mails_go_out_over_30_days_each_in_its_time():
    to = "ada@pytest.example"
    api("POST", "/contacts", {"email": to, "subscribed": True})
    plan("Welcome", 3)
    plan("Tips", 10)
    plan("How is it going?", 30)

    assert sent_in(turn("2d")) == []
    assert (to, "Welcome") in sent_in(turn("1d"))
    rest = [mail for mail in sent_in(turn("27d")) if mail[0] == to]
    assert rest == [(to, "Tips"), (to, "How is it going?")]


def test_a_mail_that_is_deferred_is_tried_again_after_1_and_5_minutes():
    mail = {"to": "defer@simulator.test", "from": "hello@example.com", "subject": "Your code", "body": "<p>1234</p>"}
    email = api("POST", "/v1/send", mail)["data"]["emails"][0]["email"]

    turn("5m")
    assert api("GET", f"/emails/{email}")["status"] == "PENDING"
    turn("1m")
    assert api("GET", f"/emails/{email}")["status"] == "DELIVERED"
