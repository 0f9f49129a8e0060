import { afterAll, beforeAll, expect, test } from "bun:test"
import { createTransport } from "nodemailer"
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

/** Asks until the answer is as wanted: the delivery runs behind the answer. */
async function until<T>(ask: () => Promise<T>, wanted: (answer: T) => boolean): Promise<T> {
  for (let tries = 0; tries < 500; tries++) {
    const answer = await ask()
    if (wanted(answer)) return answer
    await new Promise(setImmediate)
  }
  throw new Error("It did not come about.")
}

test("prints a curl that works when it is pasted", async () => {
  const curl = server.printed.slice(server.printed.indexOf("curl ")).split("\n\n")[0] ?? ""
  const child = Bun.spawn(["sh", "-c", `${curl} -s`], { stdout: "pipe", stderr: "pipe" })
  const { success, data } = JSON.parse(await new Response(child.stdout).text())
  expect(success).toBe(true)
  const email = await until(
    () => api("GET", `/emails/${data.emails[0].email}`),
    ({ status }) => status === "DELIVERED",
  )
  expect(email.subject).toBe("Hello there")
})

test("takes mail by SMTP and shows it whole", async () => {
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

test("carries the dashboard and its files inside", async () => {
  const page = await fetch(`${url}/app`)
  expect(page.headers.get("set-cookie")).toContain("posthorn_session=")
  const html = await page.text()
  const assets = [...html.matchAll(/(?:src|href)="(\/app\/assets\/[^"]+)"/g)].map((found) => found[1] ?? "")
  expect(assets.length).toBeGreaterThan(1)
  for (const asset of assets) expect((await fetch(`${url}${asset}`)).status).toBe(200)
})

test("stops in good order when it is asked to", async () => {
  const other = await place.start(["serve", "--port", "0"], /listening on/)
  expect(await other.stop()).toBe(0)
})
