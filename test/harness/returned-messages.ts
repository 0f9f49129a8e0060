/**
 * What servers send to a return path, in the shapes that their documentation and RFCs describe, with names and words of our
 * own. `{to}` is the address that was written to.
 */
interface ReturnedMessage {
  readonly from: string
  readonly expected: "permanent" | "transient" | "delivered" | "complaint" | "nothing"
  readonly content: string
}

interface Status {
  readonly type?: string
  readonly headers?: readonly string[]
  readonly prose?: string
  /** The fields of the message, then those of each recipient. */
  readonly groups: readonly (readonly string[])[]
  readonly returned?: string
  readonly boundary?: string
}

const returnedHead = ["Content-Type: message/rfc822", "", "From: news@shop.test", "Subject: Hello", "", "Hello"].join(
  "\n",
)

const report = ({ type, headers = [], prose = "See below.", groups, returned, boundary = "b1/x=y" }: Status): string =>
  [
    "From: Mail Delivery System <MAILER-DAEMON@mx.example.com>",
    "Subject: Undelivered Mail Returned to Sender",
    ...headers,
    "MIME-Version: 1.0",
    "Content-Type: multipart/report; report-type=delivery-status;",
    `\tboundary="${boundary}"`,
    "",
    "This is a MIME-encapsulated message.",
    "",
    `--${boundary}`,
    "Content-Type: text/plain; charset=us-ascii",
    "",
    prose,
    "",
    `--${boundary}`,
    "Content-Description: Delivery report",
    `Content-Type: ${type ?? "message/delivery-status"}`,
    "",
    groups.map((group) => group.join("\n")).join("\n\n"),
    "",
    `--${boundary}`,
    returned ?? returnedHead,
    "",
    `--${boundary}--`,
    "",
  ].join("\n")

const plain = (headers: readonly string[], ...lines: readonly string[]): string =>
  ["From: MAILER-DAEMON@mx.example.com", ...headers, "", ...lines, ""].join("\n")

const mta = "Reporting-MTA: dns; mx.example.com"
const final = "Final-Recipient: rfc822; {to}"
const failed = "Action: failed"

const feedback = (kind: string): string =>
  [
    "From: <feedback@isp.example.com>",
    "Subject: FW: Hello",
    "MIME-Version: 1.0",
    'Content-Type: multipart/report; report-type=feedback-report; boundary="part1"',
    "",
    "--part1",
    'Content-Type: text/plain; charset="US-ASCII"',
    "",
    "This is an email abuse report for a message received from IP 192.0.2.1.",
    "",
    "--part1",
    "Content-Type: message/feedback-report",
    "",
    `Feedback-Type: ${kind}`,
    "User-Agent: SomeGenerator/1.0",
    "Version: 1",
    "Original-Mail-From: <news@shop.test>",
    "Original-Rcpt-To: <{to}>",
    "",
    "--part1",
    returnedHead,
    "--part1--",
    "",
  ].join("\n")

/** The report of a server about one recipient, with its code and the reply of the other server. */
const refusal = (expected: ReturnedMessage["expected"], status: string, reply: string): ReturnedMessage => ({
  from: "",
  expected,
  content: report({ groups: [[mta], [final, failed, `Status: ${status}`, `Diagnostic-Code: smtp; ${reply}`]] }),
})

export const returnedMessages: Readonly<Record<string, ReturnedMessage>> = {
  "Postfix: no such user": {
    from: "",
    expected: "permanent",
    content: report({
      headers: ["Auto-Submitted: auto-replied"],
      groups: [
        [
          mta,
          "X-Postfix-Queue-ID: 4B1C2D3E4F",
          "X-Postfix-Sender: rfc822; news@shop.test",
          "Arrival-Date: Sun, 22 Nov 2026 10:00:00 +0000 (UTC)",
        ],
        [
          final,
          "Original-Recipient: rfc822;{to}",
          failed,
          "Status: 5.1.1",
          "Remote-MTA: dns; mx.example.com",
          "Diagnostic-Code: smtp; 550 5.1.1 <{to}>: Recipient address rejected:\n    User unknown in local recipient table",
        ],
      ],
    }),
  },
  "Postfix: domain without a server": {
    from: "",
    expected: "permanent",
    content: report({
      groups: [
        [mta],
        [
          final,
          failed,
          "Status: 5.4.4",
          "Diagnostic-Code: X-Postfix; Host or domain name not found. Name service error for name=nowhere.test type=AAAA: Host not found",
        ],
      ],
    }),
  },
  "Postfix: mailbox full": refusal("transient", "5.2.2", "552 5.2.2 The mailbox is over its quota"),
  "Postfix: still trying": {
    from: "",
    expected: "transient",
    content: report({
      headers: ["Subject: Delayed Mail (still being retried)"],
      groups: [
        [mta],
        [
          final,
          "Action: delayed",
          "Status: 4.4.1",
          "Diagnostic-Code: X-Postfix; connect to mx.example.com[192.0.2.1]:25: Connection timed out",
          "Will-Retry-Until: Fri, 27 Nov 2026 10:00:00 +0000 (UTC)",
        ],
      ],
    }),
  },
  "Postfix: given up after days": {
    from: "",
    expected: "transient",
    content: report({
      groups: [
        [mta],
        [
          final,
          failed,
          "Status: 4.4.1",
          "Diagnostic-Code: X-Postfix; connect to mx.example.com[192.0.2.1]:25: Connection timed out",
        ],
      ],
    }),
  },
  "Postfix: delivered, as was asked for": {
    from: "",
    expected: "delivered",
    content: report({
      groups: [
        [mta],
        [final, "Action: delivered", "Status: 2.0.0", "Diagnostic-Code: X-Postfix; delivered to mailbox"],
      ],
    }),
  },
  "Postfix: relayed to a server without reports": {
    from: "",
    expected: "nothing",
    content: report({
      groups: [[mta], [final, "Action: relayed", "Status: 2.0.0", "Remote-MTA: dns; old.example.com"]],
    }),
  },
  "Postfix: expanded into a list": {
    from: "",
    expected: "nothing",
    content: report({ groups: [[mta], [final, "Action: expanded", "Status: 2.0.0"]] }),
  },
  "Sendmail: no such user, by a comment behind the status": {
    from: "",
    expected: "permanent",
    content: report({
      headers: ["Auto-Submitted: auto-generated (failure)"],
      groups: [
        [mta, "Received-From-MTA: DNS; out.mailstead.test", "Arrival-Date: Sun, 22 Nov 2026 10:00:00 GMT"],
        [
          "Final-Recipient: RFC822; {to}",
          "Action: failed",
          "Status: 5.1.1 (user unknown)",
          "Remote-MTA: DNS; mx.example.com",
          "Diagnostic-Code: SMTP; 550 5.1.1 <{to}>... User unknown",
          "Last-Attempt-Date: Sun, 22 Nov 2026 10:00:01 GMT",
        ],
      ],
    }),
  },
  "Sendmail: a warning after four hours": {
    from: "",
    expected: "transient",
    content: report({
      groups: [
        [mta],
        [
          "Final-Recipient: RFC822; {to}",
          "Action: delayed",
          "Status: 4.4.7",
          "Will-Retry-Until: Fri, 27 Nov 2026 10:00:00 GMT",
        ],
      ],
    }),
  },
  "Exim: a vague status, the exact one in the reply": {
    from: "",
    expected: "permanent",
    content: report({
      headers: ["X-Failed-Recipients: {to}", "Auto-Submitted: auto-replied"],
      groups: [
        [mta],
        [
          "Action: failed",
          "Final-Recipient: rfc822;{to}",
          "Status: 5.0.0",
          "Remote-MTA: dns; mx.example.com",
          "Diagnostic-Code: smtp; 550-5.1.1 The email account that you tried to reach does not exist.\n 550 5.1.1 Please check it.",
        ],
      ],
    }),
  },
  "Exim: refused without a code": {
    from: "",
    expected: "transient",
    content: report({
      headers: ["X-Failed-Recipients: {to}"],
      groups: [[mta], [failed, "Final-Recipient: rfc822;{to}", "Status: 5.0.0"]],
    }),
  },
  "Exim: a host without codes that has no such user": {
    from: "",
    expected: "permanent",
    content: report({
      groups: [
        [mta],
        [failed, "Final-Recipient: rfc822;{to}", "Status: 5.0.0", "Diagnostic-Code: smtp; 550 No Such User Here"],
      ],
    }),
  },
  "Postfix: a host without codes that has no such mailbox": {
    from: "",
    expected: "permanent",
    content: report({
      groups: [
        [mta],
        [
          "Final-Recipient: rfc822; {to}",
          failed,
          "Status: 5.0.0",
          "Remote-MTA: dns; mx.example.com",
          "Diagnostic-Code: smtp; 550 Message was not accepted -- invalid mailbox.  Local\n mailbox {to} is unavailable: user not found",
        ],
      ],
    }),
  },
  "Exim: a host that does not know who writes": {
    from: "",
    expected: "transient",
    content: report({
      groups: [
        [mta],
        [
          failed,
          "Final-Recipient: rfc822;{to}",
          "Status: 5.0.0",
          "Diagnostic-Code: smtp; 550-Verification failed for <news@shop.test>\n 550-Unrouteable address\n 550 Sender verify failed",
        ],
      ],
    }),
  },
  "Exim: a host that speaks of users and refuses for another reason": {
    from: "",
    expected: "transient",
    content: report({
      groups: [
        [mta],
        [
          failed,
          "Final-Recipient: rfc822;{to}",
          "Status: 5.0.0",
          "Diagnostic-Code: smtp; 552 The mailbox of the user is full",
        ],
      ],
    }),
  },
  "Exim: refused by itself, with a code in its words alone": {
    from: "",
    expected: "permanent",
    content: report({
      headers: ["X-Failed-Recipients: {to}", "Auto-Submitted: auto-replied"],
      prose: "The following address(es) failed:\n\n  {to}\n    550 5.1.1 No such person at this address",
      groups: [[mta], [failed, "Final-Recipient: rfc822;{to}", "Status: 5.0.0"]],
    }),
  },
  "Exim: a domain that does not exist, in its words alone": {
    from: "",
    expected: "permanent",
    content: report({
      headers: ["X-Failed-Recipients: {to}", "Auto-Submitted: auto-replied"],
      prose: "This is a permanent error. The following address(es) failed:\n\n  {to}\n    Unrouteable address",
      groups: [[mta], [failed, "Final-Recipient: rfc822;{to}", "Status: 5.0.0"]],
    }),
  },
  "Exim: a domain that does not exist, in prose": {
    from: "",
    expected: "permanent",
    content: plain(
      ["Subject: Mail delivery failed: returning message to sender", "X-Failed-Recipients: {to}"],
      "This message was created automatically by mail delivery software.",
      "",
      "  {to}",
      "    Unrouteable address",
    ),
  },
  "Exim: a host that it does not reach, which speaks of such addresses": {
    from: "",
    expected: "transient",
    content: report({
      prose: "The following address(es) failed:\n\n  {to}\n    retry timeout exceeded, not an Unrouteable address",
      groups: [[mta], [failed, "Final-Recipient: rfc822;{to}", "Status: 5.0.0"]],
    }),
  },
  "Exim: the mailbox of its own is full": {
    from: "",
    expected: "transient",
    content: report({
      headers: ["X-Failed-Recipients: {to}", "Auto-Submitted: auto-replied"],
      prose:
        "The following address(es) failed:\n\n  {to}\n    LMTP error from remote mail server after RCPT TO:<{to}>:\n    552 5.2.2 <{to}> Quota exceeded (mailbox for user is full)",
      groups: [[mta], [failed, "Final-Recipient: rfc822;{to}", "Status: 5.0.0"]],
    }),
  },
  "Exim: two recipients, of whom its words give one a code": {
    from: "",
    expected: "transient",
    content: report({
      prose:
        "The following address(es) failed:\n\n  other@example.com\n    550 5.1.1 No such person\n  {to}\n    rejected",
      groups: [
        [mta],
        [failed, "Final-Recipient: rfc822;other@example.com", "Status: 5.0.0"],
        [failed, "Final-Recipient: rfc822;{to}", "Status: 5.0.0"],
      ],
    }),
  },
  "OpenSMTPD: the reply of the other server in its words alone": {
    from: "",
    expected: "permanent",
    content: report({
      prose:
        "    An error has occurred while attempting to deliver a message for\n    the following list of recipients:\n\n{to}: 550 5.1.1 <{to}>: User unknown\n\n    Below is a copy of the original message:",
      groups: [[mta], [final, failed, "Status: 5.0.0"]],
      returned: ["Content-Type: text/rfc822-headers", "", "Subject: Error 5.2.2 is what I write about"].join("\n"),
    }),
  },
  "Exim: in prose, of an older version": {
    from: "",
    expected: "permanent",
    content: plain(
      [
        "Subject: Mail delivery failed: returning message to sender",
        "X-Failed-Recipients: {to}",
        "Auto-Submitted: auto-replied",
      ],
      "This message was created automatically by mail delivery software.",
      "",
      "A message that you sent could not be delivered to one or more of its",
      "recipients. This is a permanent error. The following address(es) failed:",
      "",
      "  {to}",
      "    SMTP error from remote mail server after RCPT TO:<{to}>:",
      "    host mx.example.com [192.0.2.1]: 550 5.1.1 User unknown",
      "",
      "------ This is a copy of the message, including all the headers. ------",
      "",
      "Subject: Error 5.2.2 is what I write about",
    ),
  },
  "Exim: a warning in prose": {
    from: "",
    expected: "transient",
    content: plain(
      ["Subject: Warning: message 1sAbCd-000001-23 delayed 24 hours", "Auto-Submitted: auto-replied"],
      "This message was created automatically by mail delivery software.",
      "A message that you sent has not yet been delivered to one or more of its",
      "recipients after more than 24 hours on the queue on mx.example.com.",
      "",
      "  {to}",
      "    host mx.example.com [192.0.2.1]: 451 4.1.1 try again",
    ),
  },
  "qmail: no such mailbox (QSBMF)": {
    from: "",
    expected: "permanent",
    content: plain(
      ["Subject: failure notice"],
      "Hi. This is the qmail-send program at mx.example.com.",
      "I'm afraid I wasn't able to deliver your message to the following addresses.",
      "This is a permanent error; I've given up. Sorry it didn't work out.",
      "",
      "<{to}>:",
      "Sorry, no mailbox here by that name. (#5.1.1)",
      "",
      "--- Below this line is a copy of the message.",
      "",
      "Subject: Hello",
    ),
  },
  "qmail: what a server without codes said": {
    from: "",
    expected: "permanent",
    content: plain(
      ["Subject: failure notice"],
      "Hi. This is the qmail-send program at mx.example.com.",
      "",
      "<{to}>:",
      "Connected to 192.0.2.1 but recipient was rejected.",
      "Remote host said: 550 User unknown",
      "",
      "--- Below this line is a copy of the message.",
    ),
  },
  "qmail: what the other server said": {
    from: "",
    expected: "permanent",
    content: plain(
      ["Subject: failure notice"],
      "Hi. This is the qmail-send program at mx.example.com.",
      "I'm afraid I wasn't able to deliver your message to the following addresses.",
      "",
      "<{to}>:",
      "192.0.2.1 does not like recipient.",
      "Remote host said: 550 5.1.1 unknown user",
      "Giving up on 192.0.2.1.",
      "",
      "--- Below this line is a copy of the message.",
    ),
  },
  "qmail: too old": {
    from: "",
    expected: "transient",
    content: plain(
      ["Subject: failure notice"],
      "Hi. This is the qmail-send program at mx.example.com.",
      "",
      "<{to}>:",
      "I'm not going to try again; this message has been in the queue too long. (#5.4.7)",
    ),
  },
  "Exchange Online: no such recipient": {
    from: "",
    expected: "permanent",
    content: report({
      boundary: "_000_8f3c_",
      prose:
        "Delivery has failed to these recipients or groups: {to}. The email address you entered couldn't be found.",
      groups: [
        [
          "Reporting-MTA: dns;AM0PR01MB0001.eurprd01.prod.example.com",
          "Received-From-MTA: dns;out.mailstead.test",
          "Arrival-Date: Sun, 22 Nov 2026 10:00:00 +0000",
        ],
        [
          "",
          "Final-Recipient: rfc822;{to}",
          "Action: failed",
          "Status: 5.1.10",
          "Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup",
        ],
        [""],
      ],
    }),
  },
  "Exchange: its own kind of diagnostic": {
    from: "<>",
    expected: "permanent",
    content: report({
      groups: [
        ["Reporting-MTA: dns;exchange.example.com"],
        [
          "Final-recipient: RFC822;{to}",
          "Action: failed",
          "Status: 5.1.1",
          "X-Supplementary-Info: <exchange.example.com #5.1.1 smtp;550 5.1.1 RESOLVER.ADR.ExRecipNotFound; not found>",
          "X-Display-Name: Ada",
        ],
      ],
    }),
  },
  "Exchange Online: blocked by a rule": {
    from: "",
    expected: "transient",
    content: report({
      groups: [
        ["Reporting-MTA: dns;mail.example.com"],
        [
          final,
          failed,
          "Status: 5.7.1",
          "Diagnostic-Code: smtp;550 5.7.1 TRANSPORT.RULES.RejectMessage; the message was rejected by organization policy",
        ],
      ],
    }),
  },
  "Gmail: no such user": {
    from: "",
    expected: "permanent",
    content: report({
      headers: ["Auto-Submitted: auto-replied", "X-Failed-Recipients: {to}"],
      boundary: "000000000000a1b2c3",
      prose: "** Address not found **",
      groups: [
        [
          "Reporting-MTA: dns; googlemail.com",
          "Received-From-MTA: dns; news@shop.test",
          "Arrival-Date: Sun, 22 Nov 2026 02:00:00 -0800 (PST)",
          "X-Original-Message-ID: <1@shop.test>",
        ],
        [
          final,
          failed,
          "Status: 5.1.1",
          "Remote-MTA: dns; gmail-smtp-in.l.google.com. (192.0.2.27, the server for the\n domain example.com.)",
          "Diagnostic-Code: smtp; 550-5.1.1 The email account that you tried to reach does not exist.",
          "Last-Attempt-Date: Sun, 22 Nov 2026 02:00:01 -0800 (PST)",
        ],
      ],
    }),
  },
  "Postfix: no such user, folded in those words": refusal(
    "permanent",
    "5.0.0",
    "550 <{to}>: Recipient address rejected: User\n    unknown in local recipient table",
  ),
  "Postfix: a mailbox that gets too much mail at once, folded in the words that say so": refusal(
    "transient",
    "5.2.1",
    "550-5.2.1 The user you are trying to contact is receiving mail\n    at a rate that prevents additional messages from being delivered.",
  ),
  "Postfix: a full mailbox by the code of an unknown one, folded in those words": refusal(
    "transient",
    "5.1.1",
    "550 5.1.1 <{to}>: Recipient address rejected: mailbox is\n    full",
  ),
  "Postfix: the sender is refused by the code of the recipient, folded in those words": refusal(
    "transient",
    "5.1.1",
    "550 5.1.1 <{to}>: Sender address\n    rejected: not found",
  ),
  "Gmail: a mailbox that gets too much mail at once, by the code of one that is disabled": refusal(
    "transient",
    "5.2.1",
    "550-5.2.1 This user is receiving mail at a rate that\n 550-5.2.1 lets no more in.",
  ),
  "Gmail: a mailbox that is disabled": refusal("permanent", "5.2.1", "550 5.2.1 The email account is disabled."),
  "Spectrum: the sender is refused, by a code of the address": refusal(
    "transient",
    "5.1.0",
    "550 5.1.0 <news@shop.test> sender rejected. AUP#1",
  ),
  "Postfix: the sender is not found, by the code of the recipient": refusal(
    "transient",
    "5.1.1",
    "550 5.1.1 <news@shop.test>: Sender address rejected: User unknown",
  ),
  "Exim: a host that does not know who writes, and quotes whom it has asked": refusal(
    "transient",
    "5.0.0",
    "550-Verification failed for <news@shop.test>\n 550-Response: 550 5.1.1 <news@shop.test>: User unknown\n 550 Sender verify failed",
  ),
  "a host with a full mailbox, by the code of one that is disabled": refusal(
    "transient",
    "5.2.1",
    "552 5.2.1 <{to}>: Mailbox full",
  ),
  "Gmail: domain not found": {
    from: "",
    expected: "permanent",
    content: report({
      groups: [
        ["Reporting-MTA: dns; googlemail.com"],
        [
          final,
          failed,
          "Status: 5.1.2",
          "Diagnostic-Code: smtp; DNS Error: 12345 DNS type 'mx' lookup of nowhere.test responded with code NXDOMAIN",
        ],
      ],
    }),
  },
  "Gmail: incomplete delivery": {
    from: "",
    expected: "transient",
    content: report({
      groups: [
        ["Reporting-MTA: dns; googlemail.com"],
        [
          final,
          "Action: delayed",
          "Status: 4.4.1",
          "Diagnostic-Code: smtp; The recipient server did not accept our requests to connect.",
          "Will-Retry-Until: Tue, 24 Nov 2026 02:00:00 -0800 (PST)",
        ],
      ],
    }),
  },
  "Yahoo: disabled account": {
    from: "",
    expected: "permanent",
    content: report({
      groups: [
        ["Reporting-MTA: dns;mta.example.com"],
        [
          final,
          failed,
          "Status: 5.2.1",
          "Diagnostic-Code: smtp; 554 30 Sorry, your message cannot be delivered. This mailbox is disabled (554.30).",
        ],
      ],
    }),
  },
  "Yahoo: somebody without an account, by a relay": refusal(
    "permanent",
    "5.0.0",
    "554 delivery error: dd This user doesn't have a yahoo.com account ({to}) [0]",
  ),
  "Yahoo: no such mailbox, by a relay": refusal(
    "permanent",
    "5.0.0",
    "552 1 Requested mail action aborted, mailbox not found",
  ),
  "Yahoo: disabled account, by a relay": refusal(
    "permanent",
    "5.0.0",
    "554 30 Sorry, your message to {to} cannot be delivered. This mailbox is disabled (554.30).",
  ),
  "a host that refuses the content, and whom it is from": refusal(
    "transient",
    "5.0.0",
    "554 Message rejected: too many invalid recipients from this user",
  ),
  "Exchange Online: refused at its edge, where the address does not exist": refusal(
    "permanent",
    "5.4.1",
    "550 5.4.1 Recipient address rejected: Access denied. AS(201806281)\n [AM7EUR03FT.eop-EUR03.prod.protection.outlook.com]",
  ),
  "Outlook.com: no such mailbox": refusal(
    "permanent",
    "5.5.0",
    "550 5.5.0 Requested action not taken: mailbox\n unavailable [VI1EUR04FT.eop-eur04.prod.protection.outlook.com]",
  ),
  "GMX: no such mailbox, in the words of RFC 5321": refusal(
    "permanent",
    "5.0.0",
    "550-Requested action not taken: mailbox\n    unavailable 550 For explanation visit https://postmaster.example.net/en/case?c=r0301",
  ),
  "a host that has those words with the code of a policy": refusal(
    "transient",
    "5.7.1",
    "550 5.7.1 Requested action not taken: mailbox unavailable",
  ),
  "Yandex: no such mailbox, by the code of a policy": refusal("permanent", "5.7.1", "550 5.7.1 No such user!"),
  "Exchange Online: a domain that does not exist": refusal(
    "permanent",
    "5.4.310",
    "550 5.4.310 DNS domain nowhere.example does not exist\n [Message=InfoDomainNonexistent] [LastAttemptedServerName=nowhere.example]",
  ),
  "Exchange Online: a domain without an answer, by that code": refusal(
    "transient",
    "5.4.310",
    "550 5.4.310 DNS query for nowhere.example failed",
  ),
  "Exchange: no relaying": refusal("transient", "5.4.1", "550 5.4.1 Relay Access Denied"),
  "iCloud: over its quota": refusal("transient", "5.2.2", "552 5.2.2 <{to}>: user is over quota"),
  "a provider's report in an encoding (RFC 2045)": {
    from: "",
    expected: "permanent",
    content: report({
      type: "message/delivery-status\nContent-Transfer-Encoding: base64",
      groups: [
        [
          Buffer.from(
            "Reporting-MTA: dns; mx.example.com\r\n\r\nFinal-Recipient: rfc822; to@example.com\r\nAction: failed\r\nStatus: 5.1.1\r\n",
          ).toString("base64"),
        ],
      ],
    }),
  },
  "an address in another alphabet (RFC 6533)": {
    from: "",
    expected: "permanent",
    content: report({
      type: "message/global-delivery-status",
      groups: [[mta], ["Final-Recipient: utf-8; grün@example.com", failed, "Status: 5.1.1"]],
    }),
  },
  "Domino: lower-case fields and a quoted status": {
    from: "",
    expected: "permanent",
    content: report({
      groups: [
        ["reporting-mta: dns;domino.example.com"],
        [
          "final-recipient: rfc822;{to}",
          "action: Failed",
          "status: 5.1.1",
          "diagnostic-code: X-Notes; User ada (ada@example.com) not listed in Domino Directory",
        ],
      ],
    }),
  },
  "a gateway: all fields in one group": {
    from: "",
    expected: "permanent",
    content: report({ groups: [[mta, final, failed, "Status: 5.1.1"]] }),
  },
  "a gateway: no action": {
    from: "",
    expected: "permanent",
    content: report({ groups: [[mta], [final, "Status: 5.1.3"]] }),
  },
  "a gateway: a comment behind the action": {
    from: "",
    expected: "permanent",
    content: report({ groups: [[mta], [final, "Action: failed (bad address)", "Status: 5.1.6"]] }),
  },
  "a forwarding address: the one that was written to counts": {
    from: "",
    expected: "delivered",
    content: report({
      groups: [
        [mta],
        ["Final-Recipient: rfc822; other@example.net", failed, "Status: 5.1.1"],
        [
          "Original-Recipient: rfc822; {to}",
          "Final-Recipient: rfc822; box@example.net",
          "Action: delivered",
          "Status: 2.1.5",
        ],
      ],
    }),
  },
  "a report without its last boundary": {
    from: "",
    expected: "permanent",
    content:
      report({ groups: [[mta], [final, failed, "Status: 5.1.1"]] }).split(
        "--b1/x=y\nContent-Type: message/rfc822",
      )[0] ?? "",
  },
  "a report inside of a mixed message": {
    from: "MAILER-DAEMON@mx.example.com",
    expected: "permanent",
    content: [
      'Content-Type: multipart/mixed; boundary="outer"',
      "",
      "--outer",
      report({ groups: [[mta], [final, failed, "Status: 5.1.1"]] })
        .split("\n")
        .slice(3)
        .join("\n"),
      "--outer",
      "Content-Type: text/plain",
      "",
      "Scanned by a gateway.",
      "--outer--",
      "",
    ].join("\n"),
  },
  "policy: listed as a source of spam": refusal(
    "transient",
    "5.7.1",
    "554 5.7.1 Service unavailable; client [192.0.2.1] blocked",
  ),
  "an abuse report (RFC 5965)": { from: "feedback@isp.example.com", expected: "complaint", content: feedback("abuse") },
  "a fraud report": { from: "feedback@isp.example.com", expected: "complaint", content: feedback("fraud") },
  "a report that it is no spam (RFC 6430)": {
    from: "feedback@isp.example.com",
    expected: "nothing",
    content: feedback("not-spam"),
  },
  "a report of a failed signature (RFC 6591)": { from: "", expected: "nothing", content: feedback("auth-failure") },
  "a failure in words of its own": {
    from: "",
    expected: "permanent",
    content: plain(["Subject: Returned mail"], "Sorry, it was not possible.", "<{to}>: 550 5.1.1 unknown user"),
  },
  "a failure without a code": {
    from: "",
    expected: "transient",
    content: plain(["Subject: failure notice"], "We could not deliver it, the mail folder is full."),
  },
  "GMX: no code but in the header of the message that is returned": {
    from: "",
    expected: "transient",
    content: plain(
      ["Subject: Mail delivery failed: returning message to sender"],
      "This message was created automatically by mail delivery software.",
      "",
      "{to}:",
      "SMTP error from remote server, reason: 552 mailbox is full",
      "",
      "--- The header of the original message is following. ---",
      "",
      "X-Mailer: Shop 5.1.1",
    ),
  },
  "Exchange 2000: no code but in the subject that it quotes": {
    from: "",
    expected: "transient",
    content: plain(
      ["Subject: Undeliverable: Release 5.1.1"],
      "Your message",
      "",
      "  To:      {to}",
      "  Subject: Release 5.1.1",
      "",
      "did not reach the following recipient(s): the mailbox is full",
    ),
  },
  "a relay: a failure with an apostrophe": {
    from: "",
    expected: "permanent",
    content: [
      "From: Relay <noreply@mx.example.com>",
      "Subject: About your mail",
      "Content-Type: text/plain; charset=utf-8",
      "Content-Transfer-Encoding: quoted-printable",
      "",
      "Your message to {to} couldn=E2=80=99t be delivered: 550 5.1.1",
      "",
    ].join("\n"),
  },
  "a gateway: a failure in HTML alone": {
    from: "",
    expected: "permanent",
    content: [
      "From: Mail Delivery System <postmaster@mx.example.com>",
      "Subject: Undeliverable: Hello",
      "Content-Type: text/html; charset=utf-8",
      "Content-Transfer-Encoding: quoted-printable",
      "",
      "<html><head><style>p { margin: 5.2.2 }</style></head><body><p>Delivery to {to} has failed:</p>",
      "<p>550 5.1.=",
      "1 User unknown</p></body></html>",
      "",
    ].join("\n"),
  },
  "a relay: no such user, in few words": {
    from: "",
    expected: "transient",
    content: "From: Relay <noreply@mx.example.com>\nSubject: About your mail\n\nYour message for {to}: no such user\n",
  },
  "a relay: an address that is not valid": {
    from: "",
    expected: "permanent",
    content: [
      "From: Relay <noreply@mx.example.com>",
      "Subject: About your mail",
      "",
      "The following address(es) are no longer valid:",
      "{to} 5.1.1",
      "",
    ].join("\n"),
  },
  "a relay: a full mailbox": {
    from: "",
    expected: "transient",
    content: [
      "From: Relay <noreply@mx.example.com>",
      "Subject: About your mail",
      "",
      "Your message has been returned: the mailbox of {to} is full",
      "",
    ].join("\n"),
  },
  "a relay: a message that was blocked": {
    from: "",
    expected: "transient",
    content:
      "From: Relay <noreply@mx.example.com>\nSubject: About your mail\n\nYour message to {to} was blocked: 550 5.7.1\n",
  },
  "a server that asks for no answers": {
    from: "",
    expected: "permanent",
    content: plain(
      ["Subject: Delivery Status Notification (Failure)", "X-Auto-Response-Suppress: All", "Precedence: junk"],
      "{to}: 550 5.1.1 unknown",
    ),
  },
  "a server that asks for no answers, with a subject of its own": {
    from: "",
    expected: "permanent",
    content: plain(
      ["Subject: About your mail", "Precedence: junk"],
      "Delivery to these recipients has failed:",
      "{to}: 550 5.1.1 unknown",
    ),
  },
  "a gateway: a failure in HTML with an apostrophe of its own": {
    from: "",
    expected: "permanent",
    content: [
      "From: Relay <noreply@mx.example.com>",
      "Subject: About your mail",
      "Content-Type: text/html",
      "",
      "<p>Your message to {to} couldn&rsquo;t be delivered: 550 5.1.1</p>",
      "",
    ].join("\n"),
  },
  "a gateway: a failure in HTML beside a blank text": {
    from: "",
    expected: "permanent",
    content: [
      "From: Mail Delivery System <postmaster@mx.example.com>",
      "Subject: Undeliverable: Hello",
      "Content-Type: multipart/alternative; boundary=b",
      "",
      "--b",
      "Content-Type: text/plain",
      "",
      " ",
      "--b",
      "Content-Type: text/html",
      "",
      "<p>{to}: 550 5.1.1 unknown</p>",
      "--b--",
      "",
    ].join("\n"),
  },
  "Exchange in German: no code but in the subject that it quotes": {
    from: "",
    expected: "transient",
    content: plain(
      ["Subject: Undeliverable: Release 5.1.1"],
      "Ihre Nachricht",
      "",
      "  An:      {to}",
      "  Betreff: Release 5.1.1",
      "",
      "hat die Empfaenger nicht erreicht: das Postfach ist voll",
    ),
  },
  "an answer of somebody who is away": {
    from: "",
    expected: "nothing",
    content: plain(
      ["Subject: Out of office", "Auto-Submitted: auto-replied"],
      "I am away until Monday. Error 5.1.1 is not mine.",
    ),
  },
  "an answer that looks like a failure in prose": {
    from: "",
    expected: "nothing",
    content: plain(
      ["Subject: Re: Hello", "Auto-Submitted: auto-replied (vacation)"],
      "Your message has reached me. My other address 550 5.1.1 is gone.",
    ),
  },
  "Exchange: an answer of somebody who is away, which is not marked auto-replied": {
    from: "",
    expected: "nothing",
    content: [
      "From: Ada <{to}>",
      "Subject: Automatic reply: Your parcel was not delivered",
      "Auto-Submitted: auto-generated",
      "X-Auto-Response-Suppress: All",
      "X-MS-Exchange-Inbox-Rules-Loop: {to}",
      "",
      "Your message could not be delivered to me in time: I am away until Monday.",
      "",
    ].join("\n"),
  },
  "Exchange: an answer of a postmaster who is away": {
    from: "",
    expected: "nothing",
    content: plain(
      ["Subject: Automatic reply: Hello", "Auto-Submitted: auto-generated", "X-Auto-Response-Suppress: All"],
      "I am away until Monday.",
    ),
  },
  "vacation: an answer of before RFC 3834": {
    from: "to@example.com",
    expected: "nothing",
    content: [
      "From: Ada <{to}>",
      "Subject: away from my mail",
      "Precedence: junk",
      "",
      "Your message regarding Hello will not be read before Monday.",
      "",
    ].join("\n"),
  },
  "an autoresponder's own field": {
    from: "",
    expected: "nothing",
    content: "From: Ada <{to}>\nSubject: Away\nX-Autoreply: yes\n\nYour message is not read today.\n",
  },
  "a help desk's receipt that tells of a problem": {
    from: "",
    expected: "nothing",
    content: [
      "From: Support <support@example.com>",
      "Subject: Ticket 17: Hello",
      "",
      "Your message has been received. We look into your problem within a day.",
      "",
    ].join("\n"),
  },
  "a relay: a success in prose": {
    from: "",
    expected: "nothing",
    content: [
      "From: Relay <noreply@mx.example.com>",
      "Subject: Delivery Status Notification (Success)",
      "",
      "Your message has been relayed to {to}.",
      "",
    ].join("\n"),
  },
  "somebody who is unable to answer": {
    from: "",
    expected: "nothing",
    content:
      "From: Ada <{to}>\nSubject: Away\n\nYour message will be read on Monday, I am unable to answer before that.\n",
  },
  "a help desk's receipt": {
    from: "",
    expected: "nothing",
    content: [
      "From: Support <support@example.com>",
      "Subject: Ticket 17: Hello",
      "Auto-Submitted: auto-generated",
      "",
      "Your message has been received. We answer within a day; please do not reply to this one.",
      "",
    ].join("\n"),
  },
  "an answer of a person": {
    from: "to@example.com",
    expected: "nothing",
    content: plain(["Subject: Re: Hello"], "Please take me off, 5.1.1."),
  },
  "a receipt that it was read (RFC 8098)": {
    from: "",
    expected: "nothing",
    content: report({
      type: "message/disposition-notification",
      groups: [[final, "Disposition: manual-action/MDN-sent-manually; displayed"]],
    }),
  },
  "an empty message": { from: "", expected: "nothing", content: "\n" },
  "a report that quotes a report": {
    from: "",
    expected: "transient",
    content: report({
      groups: [[mta], [final, failed, "Status: 5.2.2"]],
      returned: `Content-Type: message/rfc822\n\n${report({ boundary: "inner", groups: [[mta], [final, failed, "Status: 5.1.1"]] })}`,
    }),
  },
}
