"""Walks through a workflow of 30 days with pytest, in a second. Start the sandbox first, in CI as a background step:

    mailstead sandbox --clock manual

MAILSTEAD_URL is its address, when that is not the usual one. Needs nothing but Python's own library.
"""

import json
import os
from urllib.request import Request, urlopen

URL = os.environ.get("MAILSTEAD_URL", "http://127.0.0.1:3000")


def api(method, path, body=None):
    key = "pk_sandbox" if path == "/v1/track" else "sk_sandbox"
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(URL + path, data, headers, method=method)) as response:
        return json.load(response)


def turn(advance):
    """Turns the clock. Everything that became due on the way is done when this returns."""
    turned = api("POST", "/sandbox/clock", {"advance": advance})
    # One request takes 20 seconds at most.
    assert turned["complete"], f"The clock stopped on the way, at {turned['now']}: turn it in smaller steps."
    return turned


def sent_in(turned):
    return [(one["to"], one["subject"]) for one in turned["happened"] if one["what"] == "email"]


def drip(event_name, *days_and_subjects):
    """Makes and enables a workflow that an event starts: a pause of some days, a mail, another pause, and so on."""
    workflow = api("POST", "/workflows", {"name": f"On {event_name}", "eventName": event_name})
    path = f"/workflows/{workflow['id']}"
    for following in days_and_subjects:
        if isinstance(following, int):
            config = {"amount": following, "unit": "days"}
            step = {"type": "DELAY", "name": f"{following} days", "config": config}
        else:
            content = {"name": following, "subject": following, "body": f"<p>{following}</p>"}
            template = api("POST", "/templates", {**content, "from": "hello@example.com"})
            step = {"type": "SEND_EMAIL", "name": following, "config": {"templateId": template["id"]}}
        api("POST", f"{path}/steps", step)
    api("PATCH", path, {"enabled": True})


def test_a_drip_of_three_mails_goes_out_over_30_days_each_in_its_time():
    to = "ada@pytest.example"
    drip("pytest.signup", 3, "Welcome", 7, "Tips", 20, "How is it going?")
    api("POST", "/v1/track", {"event": "pytest.signup", "email": to, "subscribed": True})

    assert sent_in(turn("2d")) == []
    assert sent_in(turn("1d")) == [(to, "Welcome")]
    assert sent_in(turn("27d")) == [(to, "Tips"), (to, "How is it going?")]


def test_a_mail_that_is_deferred_is_tried_again_after_1_and_5_minutes():
    mail = {"to": "defer@simulator.test", "from": "hello@example.com", "subject": "Your code", "body": "<p>1234</p>"}
    email = api("POST", "/v1/send", mail)["data"]["emails"][0]["email"]

    turn("5m")
    assert api("GET", f"/emails/{email}")["status"] == "PENDING"
    turn("1m")
    assert api("GET", f"/emails/{email}")["status"] == "DELIVERED"
