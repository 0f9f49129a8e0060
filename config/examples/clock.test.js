// Walks through a month of scheduled mail with Vitest, in a second. Start the sandbox first, in CI as a background step:
//
//   mailstead sandbox --clock manual
//
// MAILSTEAD_URL is its address, when that is not the usual one.
import { expect, test } from "vitest"

const url = process.env.MAILSTEAD_URL ?? "http://127.0.0.1:3000"
const day = 24 * 60 * 60 * 1000

async function api(method, path, body) {
  const response = await fetch(url + path, {
    method,
    headers: { Authorization: "Bearer sk_sandbox", "Content-Type": "application/json" },
    body: body && JSON.stringify(body),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
  return answer
}

/** Turns the clock. Everything that became due on the way is done when this resolves. */
const turn = (advance) => api("POST", "/sandbox/clock", { advance })

const sentIn = ({ happened }) => happened.filter(({ what }) => what === "email").map(({ to, subject }) => [to, subject])

/** Plans a mail to everybody in so many days. */
async function plan(subject, days) {
  const { now } = await api("GET", "/sandbox/clock")
  const content = { name: subject, subject, body: `<p>${subject}</p>`, from: "hello@example.com", audienceType: "ALL" }
  const { data: campaign } = await api("POST", "/campaigns", content)
  const scheduledFor = new Date(Date.parse(now) + days * day).toISOString()
  await api("POST", `/campaigns/${campaign.id}/send`, { scheduledFor })
}

test("three mails go out over 30 days, each in its time", async () => {
  const to = "ada@vitest.example"
  await api("POST", "/contacts", { email: to, subscribed: true })
  await plan("Welcome", 3)
  await plan("Tips", 10)
  await plan("How is it going?", 30)

  expect(sentIn(await turn("2d"))).toEqual([])
  expect(sentIn(await turn("1d"))).toContainEqual([to, "Welcome"])
  const rest = sentIn(await turn("27d")).filter(([address]) => address === to)
  expect(rest).toEqual([
    [to, "Tips"],
    [to, "How is it going?"],
  ])
})

test("a mail that is deferred is tried again after 1 and 5 minutes", async () => {
  const mail = { to: "defer@simulator.test", from: "hello@example.com", subject: "Your code", body: "<p>1234</p>" }
  const { data } = await api("POST", "/v1/send", mail)
  const status = async () => (await api("GET", `/emails/${data.emails[0].email}`)).status

  await turn("5m")
  expect(await status()).toBe("PENDING")
  await turn("1m")
  expect(await status()).toBe("DELIVERED")
})
