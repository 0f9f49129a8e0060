import { describe, expect, test } from "bun:test"
import { createRenderer, languages } from "../../src/mail/render/index.ts"
import { disabledMessage, linkMessage } from "../../src/modules/notices/message.ts"

const renderer = createRenderer()
const variables = {
  address: "o'<b>@example.com",
  project: "A & <b>",
  link: "https://mail.example.com/app/reset?token=x",
}

describe.each(languages)("Mail of the service in %s", (locale) => {
  const messages = {
    ...Object.fromEntries((["verify", "reset", "email"] as const).map((kind) => [kind, linkMessage(kind, locale)])),
    disabled: disabledMessage(locale),
  }

  test.each(Object.entries(messages))("renders %s, with what users chose escaped", (kind, message) => {
    const subject = renderer.template(message.subject, "subject").render(variables, { locale })
    const body = renderer.template(message.body, "html").render(variables, { locale })
    expect(body).toContain(`<html lang="${locale}">`)
    expect(body).not.toContain("<b>")
    expect(`${subject} ${body}`).not.toMatch(/\{\w+\}|\{\{/)
    expect(subject.length).toBeGreaterThan(3)
    expect(body.includes(variables.link)).toBe(kind !== "disabled")
    if (kind === "disabled") expect(subject).toContain("A & <b>")
  })
})
