import { afterAll, beforeAll, expect, test } from "bun:test"
import { existsSync, mkdtempSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createTransport } from "nodemailer"
import { imageOf } from "../harness/images.ts"
import { until } from "../harness/store.ts"
import { emptyPlace, type Place } from "./program.ts"

let place: Place
let server: Awaited<ReturnType<Place["start"]>>
let url: string
let smtpPort: number

beforeAll(async () => {
  place = emptyPlace()
  server = await place.start(["sandbox", "--port", "0", "--smtp-port", "0"], /Stop with/)
  url = /listening on (\S+)/.exec(server.printed)?.[1] ?? ""
  smtpPort = Number(/SMTP\s+127\.0\.0\.1:(\d+)/.exec(server.printed)?.[1])
})
afterAll(async () => {
  await server.stop()
  place.remove()
})

const api = async (method: string, path: string, body?: unknown) => {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { Authorization: "Bearer sk_sandbox", "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return response.json()
}

/** Repeats a request until the response is as expected, because delivery runs after the response. */
async function answerOf<T>(ask: () => Promise<T>, wanted: (answer: T) => boolean): Promise<T> {
  let answer = await ask()
  await until(async () => {
    answer = await ask()
    return wanted(answer)
  })
  return answer
}

test("prints a curl that works when it is pasted", async () => {
  const curl = server.printed.slice(server.printed.indexOf("curl ")).split("\n\n")[0] ?? ""
  const child = Bun.spawn(["sh", "-c", `${curl} -s`], { stdout: "pipe", stderr: "pipe" })
  const { success, data } = JSON.parse(await new Response(child.stdout).text())
  expect(success).toBe(true)
  const email = await answerOf(
    () => api("GET", `/emails/${data.emails[0].email}`),
    ({ status }) => status === "DELIVERED",
  )
  expect(email.subject).toBe("Hello there")
})

test("accepts mail by SMTP and shows it completely", async () => {
  const transport = createTransport({ host: "127.0.0.1", port: smtpPort, ignoreTLS: true })
  await transport.sendMail({
    from: "App <app@local.test>",
    to: "ada@example.com",
    subject: "Grüße",
    html: "<p>Hallo</p>",
    attachments: [{ filename: "a.txt", content: "attached" }],
  })
  transport.close()
  const { data } = await api("GET", "/emails?search=ada@example.com&limit=1")
  expect(data[0]).toMatchObject({ subject: "Grüße", from: "app@local.test", fromName: "App", status: "DELIVERED" })
  const email = await api("GET", `/emails/${data[0].id}`)
  expect(email.html).toContain("<p>Hallo</p>")
  expect(email.attachments).toEqual([
    { filename: "a.txt", contentType: "text/plain", size: 8, contentId: null, disposition: "attachment" },
  ])
})

test("contains the dashboard and its files", async () => {
  const page = await fetch(`${url}/app`)
  expect(page.headers.get("set-cookie")).toContain("mailstead_session=")
  const html = await page.text()
  const assets = [...html.matchAll(/(?:src|href)="(\/app\/assets\/[^"]+)"/g)].map((found) => found[1] ?? "")
  expect(assets.length).toBeGreaterThan(1)
  for (const asset of assets) expect((await fetch(`${url}${asset}`)).status).toBe(200)
})

test("runs large reads on threads, and sends a campaign to the matches", async () => {
  for (const [email, plan] of [
    ["ann@example.com", "pro"],
    ["ben@example.com", "free"],
    ["cat@example.com", "pro"],
  ])
    await api("POST", "/contacts", { email, data: { plan } })
  const onPro = { logic: "AND", groups: [{ filters: [{ field: "data.plan", operator: "equals", value: "pro" }] }] }
  const segment = await api("POST", "/segments", { name: "Pro", condition: onPro })
  expect(segment.memberCount).toBe(2)
  expect((await api("GET", `/segments/${segment.id}/contacts`)).total).toBe(2)
  const { data: campaign } = await api("POST", "/campaigns", {
    name: "News",
    subject: "For {{plan}}",
    body: "<p>News</p>",
    from: "news@example.com",
    audienceType: "SEGMENT",
    segmentId: segment.id,
  })
  await api("POST", `/campaigns/${campaign.id}/send`)
  const { data: sent } = await answerOf(
    () => api("GET", `/campaigns/${campaign.id}`),
    ({ data }) => data.status === "SENT" && data.deliveredCount === 2,
  )
  expect(sent).toMatchObject({ totalRecipients: 2, sentCount: 2, failedCount: 0 })
  const { data: mails } = await api("GET", `/emails?campaignId=${campaign.id}`)
  const { text } = await api("GET", `/emails/${mails[0].id}`)
  const page = await fetch(/http\S+\/unsubscribe\/[\w-]+/.exec(text)?.[0] ?? "")
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("<form")])
})

test("decodes uploaded images, and serves them", async () => {
  const upload = async (bytes: BlobPart) => {
    const body = new FormData()
    body.set("image", new File([bytes], "logo.png"))
    const headers = { Authorization: "Bearer sk_sandbox" }
    return fetch(`${url}/uploads/image`, { method: "POST", headers, body })
  }
  for (const kind of ["png", "jpg", "gif", "webp"] as const) {
    const bytes = await imageOf(kind)
    const answer = await upload(bytes)
    const { url: address } = (await answer.json()) as { url: string }
    expect([kind, answer.status]).toEqual([kind, 200])
    expect(Buffer.from(await (await fetch(address)).arrayBuffer())).toEqual(bytes)
    // A browser that continues a download asks for the rest.
    const rest = await fetch(address, { headers: { Range: `bytes=${bytes.length - 5}-` } })
    expect([rest.status, (await rest.arrayBuffer()).byteLength]).toEqual([206, 5])
    if (kind !== "gif") expect((await upload(bytes.subarray(0, 40))).status).toBe(400)
  }
  expect((await upload("<svg/>")).status).toBe(400)
})

test("runs on a data folder where nothing temporary can be written, and without one says what is wrong", async () => {
  const file = join(place.folder, "file")
  writeFileSync(file, "")
  const args = ["sandbox", "--port", "0", "--smtp-port", "0"]
  const other = await place.start([...args, "--data", join(place.folder, "kept")], /Stop with/, { TMPDIR: file })
  expect(await other.stop()).toBe(0)
  const { code, stderr } = await place.run(args, { TMPDIR: file })
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^mailstead: .*: not a directory\. .*another folder\.\n$/)])
})

test("deletes its temporary folder", async () => {
  const at = mkdtempSync(join(place.folder, "temporary-"))
  const other = await place.start(["sandbox", "--port", "0", "--smtp-port", "0"], /Stop with/, { TMPDIR: at })
  expect(readdirSync(at).map((name) => statSync(join(at, name)).mode & 0o777)).toEqual([0o700])
  await other.stop()
  expect(readdirSync(at)).toEqual([])
})

test("stops gracefully on request", async () => {
  const other = await place.start(["serve", "--port", "0"], /listening on/)
  expect(await other.stop()).toBe(0)
})

test("stops gracefully when its terminal goes, unless that is ignored", async () => {
  const data = join(place.folder, "hangup")
  const other = await place.start(["serve", "--port", "0", "--data", data], /listening on/)
  process.kill(other.pid, "SIGHUP")
  expect(await other.ended).toBe(0)
  expect(existsSync(join(data, "mailstead.url"))).toBe(false)
  const kept = emptyPlace(["nohup"])
  const stays = await kept.start(["serve", "--port", "0"], /listening on/, { PATH: "/usr/bin:/bin" })
  process.kill(stays.pid, "SIGHUP")
  expect((await kept.run(["health"], { PATH: "/usr/bin:/bin" })).code).toBe(0)
  await stays.stop()
  kept.remove()
})
