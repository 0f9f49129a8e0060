import type { Page } from "playwright-core"
import type { AccountServer } from "./account-server.ts"
import { signIn } from "./sign-in.ts"

interface Project {
  readonly id: string
  readonly secret: string
}

/** A project with mails, some of them opened, bounced, clicked, and an event; signed in as its owner. */
export async function furnish(server: AccountServer, page: Page, path: string) {
  const owner = await server.signUp("owner@acme.test")
  const project: Project = await owner.createProject("Acme")
  const { id, secret } = project
  await server.app.domains.add(id, "acme.test", { vouched: true })
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${server.url}${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return answer.json()
  }
  await post("/events/track", { email: "ada@one.test", event: "purchase", data: { amount: 49 } })
  const to = ["ada@one.test", "bo@one.test", "cy@two.test"]
  const sent = await post("/v1/send", { to, from: "hi@acme.test", subject: "Welcome", body: "<p>Hi</p>" })
  await server.app.settle()
  const mails = (sent.data.emails as { email: string }[]).map(({ email }) => email)
  await server.app.store.write(id, async (unit) => {
    for (const mail of mails.slice(0, 2)) await server.app.emails.report(unit, mail, { kind: "delivery" })
    await server.app.emails.report(unit, mails[0] ?? "", { kind: "open" })
    await server.app.emails.report(unit, mails[2] ?? "", { kind: "bounce", bounceType: "Permanent" })
  })
  const campaign = { name: "June", subject: "News", body: "<p>Hi</p>", from: "hi@acme.test", audienceType: "ALL" }
  const { data } = await post("/campaigns", campaign)
  await post(`/campaigns/${data.id}/send`, { scheduledFor: new Date(Date.now() + 86_400_000).toISOString() })
  await page.goto(`${server.url}/app/p/${id}${path}`)
  await signIn(page, "owner@acme.test")
  return { project, mails, campaign: data.id as string, post }
}
