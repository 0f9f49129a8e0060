export interface Starter {
  readonly id: "plain" | "notice" | "letter"
  readonly name: string
  readonly about: string
  readonly subject: string
  readonly body: string
}

const page = (content: string, lead: string): string => `<!doctype html>
<html lang="{{locale}}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
  </head>
  <body style="margin:0;padding:0;background:#f4f4f2">
    <div style="display:none;max-height:0;overflow:hidden">${lead}</div>
    <table role="presentation" width="100%" cellpadding="0" cellspacing="0">
      <tr>
        <td align="center" style="padding:32px 16px">
          <table role="presentation" width="100%" cellpadding="0" cellspacing="0"
            style="max-width:560px;background:#ffffff;border-radius:12px;font-family:system-ui,-apple-system,'Segoe UI',sans-serif;font-size:16px;line-height:1.6;color:#1f1f25">
${content}
          </table>
        </td>
      </tr>
    </table>
  </body>
</html>
`

const plain = `<p>Hello {{firstName ?? there}},</p>

<p>write your message here.</p>

<p>All the best</p>
`

const notice = page(
  `            <tr>
              <td style="padding:36px 36px 0">
                <h1 style="margin:0;font-size:22px;line-height:1.3">Hello {{firstName ?? there}},</h1>
              </td>
            </tr>
            <tr>
              <td style="padding:12px 36px 0">
                <p style="margin:0">say in one or two sentences what happened, and what to do next.</p>
              </td>
            </tr>
            <tr>
              <td style="padding:24px 36px 36px">
                <a href="https://example.com" style="display:inline-block;padding:12px 22px;border-radius:8px;background:#3f4da9;color:#ffffff;font-weight:600;text-decoration:none">What to do next</a>
              </td>
            </tr>`,
  "What this is about, in one line",
)

const letter = page(
  `            <tr>
              <td style="padding:36px 36px 0">
                <h1 style="margin:0;font-size:24px;line-height:1.3">What is new this month</h1>
                <p style="margin:12px 0 0">Hello {{firstName ?? there}}, here is what we have been working on.</p>
              </td>
            </tr>
            <tr>
              <td style="padding:28px 36px 0">
                <h2 style="margin:0;font-size:17px">The first thing</h2>
                <p style="margin:6px 0 0">Two or three sentences, and a <a href="https://example.com" style="color:#3f4da9">link to more</a>.</p>
              </td>
            </tr>
            <tr>
              <td style="padding:20px 36px 0">
                <h2 style="margin:0;font-size:17px">The second thing</h2>
                <p style="margin:6px 0 0">Two or three sentences, and a <a href="https://example.com" style="color:#3f4da9">link to more</a>.</p>
              </td>
            </tr>
            <tr>
              <td style="padding:28px 36px 36px">
                {{#if plan}}
                <p style="margin:0;padding:14px 18px;border-radius:8px;background:#eef0fb">You are on the {{capitalize plan}} plan. Thank you!</p>
                {{else}}
                <p style="margin:0">Thank you for reading!</p>
                {{/if}}
              </td>
            </tr>`,
  "Two things we have been working on",
)

/** Contents that a new template or campaign can start from. */
export const starters: readonly Starter[] = [
  { id: "plain", name: "Plain", about: "A few paragraphs", subject: "Hello {{firstName ?? there}}", body: plain },
  { id: "notice", name: "Notice", about: "A message with a button", subject: "Something for you", body: notice },
  {
    id: "letter",
    name: "Newsletter",
    about: "Sections and a condition",
    subject: "What is new this month",
    body: letter,
  },
]
