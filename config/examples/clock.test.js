// Walks through a workflow of 30 days with Vitest, in a second. Start the sandbox first, in CI as a background step:
//
//   mailstead sandbox --clock manual
//
// MAILSTEAD_URL is its address, when that is not the usual one.
import { expect, test } from "vitest"

const url = process.env.MAILSTEAD_URL ?? "http://127.0.0.1:3000"

async function api(method, path, body) {
  const response = await fetch(url + path, {
    method,
    headers: { Authorization: `Bearer ${path === "/v1/track" ? "pk_sandbox" : "sk_sandbox"}`, "Content-Type": "application/json" },
    body: body && JSON.stringify(body),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
  return answer
}

/** Turns the clock. Everything that became due on the way is done when this resolves. */
async function turn(advance) {
  const turned = await api("POST", "/sandbox/clock", { advance })
  // One request takes 20 seconds at most.
  if (!turned.complete) throw new Error(`The clock stopped on the way, at ${turned.now}: turn it in smaller steps.`)
  return turned
}

const sentIn = ({ happened }) => happened.filter(({ what }) => what === "email").map(({ to, subject }) => [to, subject])

/** Makes and enables a workflow that an event starts: a pause of some days, a mail, another pause, and so on. */
async function drip(eventName, ...daysAndSubjects) {
  const workflow = await api("POST", "/workflows", { name: `On ${eventName}`, eventName })
  const add = (step) => api("POST", `/workflows/${workflow.id}/steps`, step)
  for (const next of daysAndSubjects) {
    if (typeof next === "number") {
      await add({ type: "DELAY", name: `${next} days`, config: { amount: next, unit: "days" } })
    } else {
      const content = { name: next, subject: next, body: `<p>${next}</p>`, from: "hello@example.com" }
      const { id } = await api("POST", "/templates", content)
      await add({ type: "SEND_EMAIL", name: next, config: { templateId: id } })
    }
  }
  await api("PATCH", `/workflows/${workflow.id}`, { enabled: true })
}

test("a drip of three mails goes out over 30 days, each in its time", async () => {
  const to = "ada@vitest.example"
  await drip("vitest.signup", 3, "Welcome", 7, "Tips", 20, "How is it going?")
  await api("POST", "/v1/track", { event: "vitest.signup", email: to, subscribed: true })

  expect(sentIn(await turn("2d"))).toEqual([])
  expect(sentIn(await turn("1d"))).toEqual([[to, "Welcome"]])
  expect(sentIn(await turn("27d"))).toEqual([
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
