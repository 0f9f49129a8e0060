import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { count, eq } from "drizzle-orm"
import { contactTable } from "../../src/modules/contacts/index.ts"
import { projectTable } from "../../src/modules/projects/index.ts"
import { type Browser, signUp } from "../harness/accounts.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { seedContacts } from "../harness/contacts.ts"
import { fillProject, type Keys } from "../harness/filled-project.ts"
import { imageOf, uploadImage } from "../harness/images.ts"
import { pathsIn, submit, visit } from "../harness/tracking.ts"

let it: TestApp
let owner: Browser
let project: Keys & { public: string }

const path = () => `/users/@me/projects/${project.id}`

beforeEach(async () => {
  it = await startTestApp()
  owner = await signUp(it, "owner@acme.test")
  project = (await owner.api("POST /users/@me/projects", { body: { name: "Shop" } })).body
})
afterEach(() => it.close())

async function contactsLeft(of: TestApp): Promise<number> {
  const mine = eq(contactTable.projectId, project.id)
  const [row] = await of.app.store.read.select({ left: count() }).from(contactTable).where(mine)
  return row?.left ?? 0
}

async function isStored(of: TestApp): Promise<boolean> {
  const rows = await of.app.store.read.select().from(projectTable).where(eq(projectTable.id, project.id))
  return rows.length > 0
}

describe("A deleted project whose data are not deleted yet", () => {
  let link: string
  let image: string

  beforeEach(async () => {
    await fillProject(it, project, "shop.test")
    await it.settle()
    const mail = it.sent().find(({ html, projectId }) => projectId === project.id && html.includes("/unsubscribe/"))
    link = pathsIn(mail?.html ?? "", "unsubscribe")[0] ?? "none"
    image = `/uploads/${(await uploadImage(it, await imageOf("png", 1), { key: project.secret })).body.key}`
    for (const path of [link, image]) expect((await visit(it, `GET ${path}`)).status).toBe(200)
    expect((await owner.api(`DELETE ${path()}`)).status).toBe(200)
    expect([await isStored(it), await contactsLeft(it)]).toEqual([true, 3])
  })

  test("is there for no key, no member and no owner of the server", async () => {
    const { body } = await owner.api("GET /users/@me/projects")
    expect(body.map(({ name }: { name: string }) => name)).toEqual(["Acme"])
    const answers = await Promise.all([
      it.api("GET /contacts", { key: project.secret }),
      it.api("POST /v1/track", { key: project.public, body: { email: "ada@example.com", event: "visit" } }),
      owner.api("GET /contacts", { headers: { "X-Project-Id": project.id } }),
      owner.api(`PATCH ${path()}`, { body: { disabled: false } }),
      owner.api(`DELETE ${path()}`),
    ])
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 403, 403, 403])
    const { body: all } = await owner.api("GET /instance/projects")
    expect(all.data.map(({ name }: { name: string }) => name)).toEqual(["Acme"])
  })

  test("gives its domain away, and its hosted pages know nobody", async () => {
    expect((await it.api("POST /domains", { body: { domain: "shop.test" } })).status).toBe(201)
    expect((await visit(it, `GET ${link}`)).status).toBe(404)
    expect((await submit(it, link)).body).toContain("This address is no longer on the list")
  })

  test("shows its images to nobody (contract B8.3.5)", async () => {
    expect((await visit(it, `GET ${image}`)).status).toBe(404)
  })

  test("sends nothing more, and is gone after a restart", async () => {
    const sent = it.sent().length
    await it.stop()
    const again = await startTestApp({ folder: it.folder, clock: it.clock, ids: it.ids })
    await again.advance({ days: 2 })
    expect([await isStored(again), await contactsLeft(again)]).toEqual([false, 0])
    expect([it.sent().length - sent, again.sent().filter(({ projectId }) => projectId === project.id)]).toEqual([0, []])
    expect(again.complaints.filter(({ level }) => level === "error")).toEqual([])
    await again.stop()
  })
})

test("The deletion of a large project leaves others their turns, and goes on where a stop interrupted it", async () => {
  await seedContacts(it, 2_000, (at) => ({ email: `reader${at}@example.com` }), project.id)
  await owner.api(`DELETE ${path()}`)
  const deletion = it.settle()
  while ((await contactsLeft(it)) > 1_500) {
    const body = { email: "ada@example.com", event: "purchase" }
    expect((await it.api("POST /v1/track", { body })).status).toBe(200)
  }
  await it.stop()
  await deletion.catch(() => {})
  const again = await startTestApp({ folder: it.folder, clock: it.clock, ids: it.ids })
  const left = await contactsLeft(again)
  expect(left > 0 && left <= 1_500).toBe(true)
  await again.settle()
  expect([await isStored(again), await contactsLeft(again)]).toEqual([false, 0])
  await again.stop()
})
