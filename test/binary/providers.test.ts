import { afterEach, beforeEach, expect, test } from "bun:test"
import { type PostmarkServer, startPostmark } from "../harness/postmark-server.ts"
import { type SesServer, startSes } from "../harness/ses-server.ts"
import { until } from "../harness/store.ts"
import { emptyPlace, type Place } from "./program.ts"

let place: Place
let ses: SesServer
let postmark: PostmarkServer

beforeEach(async () => {
  place = emptyPlace()
  ses = await startSes()
  postmark = await startPostmark()
})
afterEach(async () => {
  place.remove()
  await ses.stop()
  await postmark.stop()
})

/** Sends one mail by a server of the executable with this transport; the stop finishes what is under way. */
async function sendBy(name: string, url: string, env: Record<string, string>, hasLeft: () => boolean): Promise<void> {
  const data = `${place.folder}/${name}`
  const { id, secret } = JSON.parse((await place.run(["project", "create", "P", "--json", "--data", data])).stdout)
  await place.run(["domain", "add", "shop.test", "--project", id, "--verified", "--data", data])
  const server = await place.start(["serve", "--port", "0", "--data", data], /listening on/, {
    ...env,
    MAILSTEAD_MAIL_URL: url,
  })
  const address = /listening on (\S+)/.exec(server.printed)?.[1]
  const answer = await fetch(`${address}/v1/send`, {
    method: "POST",
    headers: { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" },
    body: JSON.stringify({ to: "accept@example.com", from: "me@shop.test", subject: "By provider", body: "x" }),
  })
  expect(answer.status).toBe(200)
  await until(hasLeft)
  expect(await server.stop()).toBe(0)
}

test("the executable sends by Amazon SES", async () => {
  await sendBy("ses", "ses://eu-west-1", { ...ses.env }, () => ses.messages.length > 0)
  expect(ses.messages.map(({ to }) => to)).toEqual(["accept@example.com"])
  expect(ses.messages[0]?.raw.toString()).toContain("Subject: By provider")
})

test("the executable sends by Postmark", async () => {
  await sendBy("postmark", postmark.transportUrl(), {}, () => postmark.messages.length > 0)
  expect(postmark.messages.map(({ To, Subject }) => [To, Subject])).toEqual([["accept@example.com", "By provider"]])
})

test("the executable sets SES up for its reports", async () => {
  const url = "https://mail.example.com/webhooks/sns"
  const { code, stdout } = await place.run(["ses", "setup", "--topic-url", url, "--region", "eu-west-1"], {
    ...ses.env,
  })
  expect([code, ses.subscriptions.map(({ endpoint }) => endpoint)]).toEqual([0, [url]])
  expect(stdout).toContain("ses.topics")
})
