import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { simpleParser } from "mailparser"
import type { Outgoing, Transport } from "../../src/mail/transport.ts"
import { isLazy } from "../../src/mail/transports/lazy-message.ts"
import type { Transports } from "../../src/mail/transports.ts"
import { buildWith } from "../contracts/build.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { mailsOf, startCampaign } from "../harness/campaigns.ts"
import { transportsOf } from "../harness/mails.ts"
import { type SmtpSink, startSink } from "../harness/smtp-sink.ts"
import { pathsIn, visit } from "../harness/tracking.ts"

const count = 60
let it: TestApp
let sink: SmtpSink
let members: Transports["members"]
/** Messages that the transport was given to make. */
let lazy = 0
/** Those of them that it did not make on its thread. */
let madeHere = 0

/** The same message: its fields cannot be copied, because those that it does not have yet throw. */
function counted(message: Outgoing): Outgoing {
  if (!isLazy(message)) return message
  lazy++
  const compose = () => {
    madeHere++
    return message.compose()
  }
  return Object.create(message, { compose: { value: compose } })
}

beforeAll(async () => {
  sink = await startSink()
  const built = await buildWith({ threads: { leastCalls: 4, idleMs: 60_000 } }, `smtp://127.0.0.1:${sink.port}?pool=8`)
  const { transport } = built
  members = built.members
  const given: Transport = {
    ...transport,
    send: (messages, abort, tell) => transport.send(messages.map(counted), abort, tell),
  }
  it = await startTestApp({ overrides: { transports: transportsOf(given) } })
  const contacts = Array.from({ length: count }, (_, n) => ({
    email: `reader${n}@example.com`,
    data: { first: `Reader ${n}`, n: n === 7 ? Array.from({ length: 2_000 }, (_, at) => at) : [n] },
  }))
  for (const body of contacts) expect((await it.api("POST /contacts", { body })).status).toBe(201)
})
afterAll(async () => {
  await it.close()
  await sink.stop()
})

const loops = `${"{{#each @root.n}}".repeat(3)}{{#if (eq this 5)}}{{/if}}${"{{/each}}".repeat(3)}`
const body = `<p>Hi {{first}} ${loops}</p><a href="https://acme.test/?to={{email}}">own</a> <a href="{{unsubscribeUrl}}">off</a>`

describe("A campaign whose mail a thread makes", () => {
  let id = ""
  beforeAll(async () => {
    id = await startCampaign(it, { body })
    await it.settle()
  })

  test("is given to the transport as a lazy message, and made by its thread once there is one", () => {
    expect(lazy).toBe(count)
    // The one that takes long, and those that come before four are under way.
    expect(madeHere).toBeGreaterThan(0)
    expect(madeHere).toBeLessThan(count / 2)
  })

  test("arrives once each, for its recipient, with the links of that mail", async () => {
    const mails = (await mailsOf(it, id)).filter(({ sentAt }) => sentAt !== null)
    expect(mails).toHaveLength(count - 1)
    const arrived = new Map(sink.messages.map(({ to, raw }) => [to.join(), raw]))
    expect(sink.messages).toHaveLength(count - 1)
    for (const { id, to } of mails) {
      const { html, text, headers } = await simpleParser(arrived.get(to) as never)
      const shown = (await it.api(`GET /emails/${id}`)).body
      expect(shown.text.length).toBeGreaterThan(20)
      expect(text?.trimEnd()).toBe(shown.text.trimEnd())
      expect(html).toContain(`Hi ${to.replace(/reader(\d+)@.*/, "Reader $1")} `)
      const [click = ""] = pathsIn(String(html), "t/c")
      expect((await visit(it, `GET ${click}`)).headers.get("Location")).toBe(`https://acme.test/?to=${to}`)
      expect(JSON.stringify(headers.get("list"))).toContain("/unsubscribe/")
    }
  })

  test("has the reason with the mail that cannot be rendered, as without a thread", async () => {
    const [failed, ...others] = (await mailsOf(it, id)).filter(({ sentAt }) => sentAt === null)
    expect(others).toEqual([])
    expect([failed?.to, failed?.status]).toEqual(["reader7@example.com", "FAILED"])
    expect(failed?.error).toBe("The template takes too long to render.")
  })

  test("counts as handed over what the server was given", () => {
    expect(members[0]?.record.read()).toMatchObject({ sent: count - 1, deferred: 0, rejected: 0, lastError: null })
  })
})
