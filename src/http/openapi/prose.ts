/** The introduction of the document, in Markdown. */
export const introduction = `Mailstead is a self-hosted email platform. This page is made from the routes of the very server that shows it.

## Keys

Every project has a pair of keys. The **secret key** (\`sk_...\`) belongs on servers and opens everything of its project but
\`POST /v1/track\`. That alone is what the **public key** (\`pk_...\`) opens, which may be shown to browsers and apps. Send one
of them with each request:

\`\`\`
Authorization: Bearer sk_...
\`\`\`

The dashboard uses a session cookie instead and names the project in \`X-Project-Id\`. Endpoints below \`/auth\`, \`/users\`,
\`/projects\` and \`/instance\` take only that session, or no credentials at all, and never a key.

## Answers

Endpoints below \`/v1\` answer \`{"success": true, "data": ...}\`. So do those of campaigns other than their list,
\`POST /events/track\` with \`event\`, and those below \`/auth\`, \`/instance\` and \`/projects\` other than the audit
logs, the request logs, \`GET /instance/retention\` and \`GET /auth/logout\`. Some that have nothing to show, such as the deletion of a campaign, answer \`{"success": true, "message": ...}\`. All others answer the
resource itself. Times are UTC with milliseconds, ids are UUIDs, and a field without a value is \`null\`.

Every answer carries \`X-Request-ID\`: the one that was sent, or a new one. Quote it when you look for a request in the log.

## Errors

A refusal has one shape. Depend on the status and on \`error.code\`; the message is for people. With status 422,
\`error.errors\` lists everything that is wrong at once, so that nobody has to try again field by field. Only the 400 of
\`POST /contacts\`, \`POST /templates\` and \`POST /segments\` without a field that they require is
\`{"error": "email is required."}\`, where \`error\` is the message itself.

## Lists

A cursor list gives \`limit\` items and a \`cursor\` while there are more. Send it back, with the same filters, for the next page.

## Repeating safely

\`POST /v1/send\` and \`POST /v1/track\` take an \`Idempotency-Key\`. A second request with the same key is refused with 409,
so a client that does not know whether its request arrived can simply send it again.

## Rate limit

Requests with a key count against a limit per project and minute, 1,000 unless the server is set up otherwise.
\`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` tell how it stands; beyond it the answer is 429 with
\`Retry-After\`.
`

/** The groups of endpoints in the order of the page. Groups not listed here come last, without a note. */
export const tagNotes: Readonly<Record<string, string>> = {
  "Public API": "What an application calls: send a message, report what somebody did.",
  Emails: "The ledger: every message with its content and what became of it.",
  Inbox: "The mail of a project as people read it: rows for messages and campaigns, read marks, search.",
  Contacts: "The people of a project, with custom fields of any shape.",
  Templates: "Content that is written once and sent often.",
  Events: "What contacts did, and what the service did for them.",
  Segments: "Contacts chosen by conditions, or by hand.",
  Campaigns: "One message to many, now or later.",
  Workflows: "Steps that a contact goes through, started by an event.",
  Domains: "The domains that a project may send from.",
  Activity: "What happened lately, across all resources.",
  Analytics: "Figures over time.",
  Uploads: "Images for use in messages.",
  Sandbox: "Only on a server started with `mailstead sandbox`: captured mail as it would have left.",
  "Sign-in": "Accounts, passwords and sessions, for the dashboard.",
  Account: "The person who is signed in, and their projects.",
  Members: "Who may work in a project.",
  Projects: "Projects and their members.",
  Webhooks: "What providers report of mail that has left. Each provider proves itself, no key is needed.",
  Instance: "The server itself. No key needed.",
}
