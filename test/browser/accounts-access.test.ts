import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { type Account, type AccountServer, password } from "./account-server.ts"
import { visitServer, withBrowser } from "./harness.ts"
import { all, filter } from "./segments-seed.ts"
import { field, signIn, signInAt } from "./sign-in.ts"

withBrowser()

/** A server with an owner, and a project of theirs in which Grace is an admin. */
async function withAdmin(server: AccountServer): Promise<{ owner: Account; id: string; secret: string }> {
  const owner = await server.signUp("owner@acme.test")
  await server.signUp("grace@acme.test")
  const { id, secret } = await owner.createProject("Acme")
  await owner.call("POST", `/projects/${id}/members`, { email: "grace@acme.test", role: "ADMIN" })
  return { owner, id, secret }
}

async function idOfGrace(owner: Account, id: string): Promise<string | undefined> {
  const members = (await owner.call("GET", `/projects/${id}/members`)) as { data: { userId: string; email: string }[] }
  return members.data.find(({ email }) => email === "grace@acme.test")?.userId
}

const changeRoleOfGrace = async (owner: Account, id: string, role: string) =>
  owner.call("PATCH", `/projects/${id}/members/${await idOfGrace(owner, id)}`, { role })

/** Adds a segment `VIPs`; resolves to the address of its page. */
async function addSegment(page: Page, id: string, secret: string): Promise<string> {
  const created = await fetch(new URL("/segments", page.url()), {
    method: "POST",
    headers: { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" },
    body: JSON.stringify({ name: "VIPs", condition: all(filter("email", "contains", "acme")) }),
  })
  const segment = (await created.json()) as { id: string }
  return new URL(`/app/p/${id}/segments/${segment.id}`, page.url()).href
}

const visitAsAdmin = (
  path: string,
  work: (page: Page, given: Awaited<ReturnType<typeof withAdmin>>) => Promise<void>,
  options: { readonly alone?: boolean } = {},
) =>
  visitServer({ path: "/app/sign-up", allowed: /40[134]/, ...options }, async ({ page, server }) => {
    const given = await withAdmin(server)
    await signInAt(page, server, "grace@acme.test", `/app/p/${given.id}${path}`)
    await work(page, given)
  })

test("Saving settings leaves alone what somebody else has changed meanwhile", () =>
  visitAsAdmin("/settings", async (page, { owner, id }) => {
    await field(page, "Postal address").fill("1 Main Street")
    await owner.call("PATCH", `/users/@me/projects/${id}`, { name: "Acme Two" })
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Saved", { exact: true }).waitFor()
    expect(await owner.call("GET", "/users/@me/projects")).toMatchObject([
      { name: "Acme Two", postalAddress: "1 Main Street" },
    ])
  }))

test("A page learns from a refusal that its project was disabled", () =>
  visitAsAdmin("/settings", async (page, { owner, id }) => {
    await field(page, "Name").fill("Shop")
    await owner.call("PATCH", `/users/@me/projects/${id}`, { disabled: true })
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Acme is disabled: the owner of this server has switched it off.").waitFor()
    await page.getByText("Nothing can be changed while the project is disabled.").waitFor()
  }))

test("A disabled project offers nothing that makes, saves or sends something", () =>
  visitServer({ path: null, allowed: /40[134]/ }, async ({ page, server }) => {
    const owner = await server.signUp("owner@acme.test")
    const { id, secret } = await owner.createProject("Acme")
    await server.app.domains.add(id, "acme.test", { vouched: true })
    const content = {
      name: "June",
      subject: "News",
      body: "<p>Hello</p>",
      from: "hello@acme.test",
      audienceType: "ALL",
    }
    const add = async (path: string, body: object) => {
      const created = await fetch(server.url + path, {
        method: "POST",
        headers: { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" },
        body: JSON.stringify(body),
      })
      return created.json() as Promise<{ id: string; data: { id: string } }>
    }
    const { data: campaign } = await add("/campaigns", content)
    const list = await add("/segments", { name: "Friends", type: "STATIC" })
    const setDisabled = (disabled: boolean) => owner.call("PATCH", `/users/@me/projects/${id}`, { disabled })
    await setDisabled(true)
    await signInAt(page, server, "owner@acme.test", `/app/p/${id}/templates`)
    const offered = async (path: string, ...names: (string | RegExp)[]) => {
      await page.goto(`${server.url}/app/p/${id}${path}`)
      await page.getByText("Acme is disabled").waitFor()
      const buttons = names.map((name) => page.getByRole("button", { name }))
      for (const button of buttons) await button.waitFor()
      return Promise.all(buttons.map((button) => button.isEnabled()))
    }
    expect(await offered("/templates", "New template")).toEqual([false])
    expect(await offered("/contacts", "Import a CSV file", "Add a contact")).toEqual([false, false])
    expect(await offered("/campaigns", "New campaign")).toEqual([false])
    await page.keyboard.press("Control+k")
    await page.getByRole("combobox", { name: "Command" }).fill("new template")
    await page.getByText("Nothing goes by that name").waitFor()
    expect(await offered(`/campaigns/${campaign.id}`, /^Save$/, /^Send$/)).toEqual([false, false])
    await page.getByLabel("Subject").fill("Other news")
    expect(await page.getByRole("button", { name: /^Save$/ }).isEnabled()).toBe(false)
    expect(await offered("/contacts/fields", "Import a CSV file")).toEqual([false])
    await setDisabled(false)
    const ada = await add("/contacts", { email: "ada@acme.test" })
    await setDisabled(true)
    await page.goto(`${server.url}/app/p/${id}/contacts/${ada.id}`)
    await page.getByRole("button", { name: "Add a field" }).click()
    await page.getByRole("combobox", { name: "Name of the field" }).fill("plan")
    await page.keyboard.press("Enter")
    await field(page, "plan").fill("free")
    expect(await page.getByRole("button", { name: "Save" }).isEnabled()).toBe(false)
    await page.goto(`${server.url}/app/p/${id}/segments/${list.id}`)
    await page.getByRole("textbox", { name: "Addresses" }).fill("ada@acme.test")
    expect(await page.getByRole("button", { name: "Add 1 address" }).isEnabled()).toBe(false)
  }))

test("The secret key goes out of view with the right to see it", () =>
  visitAsAdmin("/settings/keys", async (page, { owner, id, secret }) => {
    await page.getByRole("button", { name: "Show", exact: true }).click()
    await page.getByText(secret, { exact: true }).waitFor()
    await changeRoleOfGrace(owner, id, "MEMBER")
    await page.getByRole("button", { name: "Make new keys" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Make new keys" }).click()
    await page.getByText(secret).first().waitFor({ state: "detached" })
  }))

test("The secret key goes out of view after its time, also in the dialog that tells how to send", () =>
  visitAsAdmin(
    "/settings/keys",
    async (page, { secret }) => {
      await page.getByRole("button", { name: "Show", exact: true }).waitFor()
      await page.clock.install()
      await page.getByRole("button", { name: "Show", exact: true }).click()
      await page.getByText(secret, { exact: true }).waitFor()
      await page.getByRole("button", { name: "How to send" }).click()
      const guide = page.getByRole("dialog", { name: "How to send" })
      await guide.getByText(secret).waitFor()
      await page.clock.fastForward("10:01")
      await guide.getByText("sk_…").waitFor()
      await page.getByText(secret).waitFor({ state: "detached" })
    },
    { alone: true },
  ))

test("The owner of the server reaches its pages without a project, others wait for one without leaving theirs", () =>
  visitServer({ path: "/app/sign-up", allowed: /40[14]/, alone: true }, async ({ page, server }) => {
    await page.clock.install()
    const owner = await server.signUp("owner@acme.test")
    await server.signUp("grace@acme.test")
    await signInAt(page, server, "owner@acme.test", "/app")
    await page.getByRole("heading", { name: "Name your project" }).waitFor()
    await page.getByRole("link", { name: "This server" }).click()
    await page.getByRole("heading", { name: "This server", level: 1 }).waitFor()
    await page.getByRole("link", { name: "Health" }).click()
    await page
      .getByRole("region", { name: "Now" })
      .or(page.getByRole("heading", { level: 2 }).first())
      .waitFor()
    expect(page.url()).toBe(`${server.url}/app/instance/health`)
    await page.getByRole("link", { name: "Back", exact: true }).click()
    await page.getByRole("heading", { name: "Name your project" }).waitFor()
    await signInAt(page, server, "grace@acme.test", "/app/instance")
    await page.getByRole("heading", { name: "Name your project" }).waitFor()
    const { id } = await owner.createProject("Acme")
    await owner.call("POST", `/projects/${id}/members`, { email: "grace@acme.test", role: "MEMBER" })
    await page.clock.fastForward("00:06")
    await page.getByRole("button", { name: "Project Acme, switch" }).waitFor()
  }))

test("A session that was begun anew in another tab goes on in this one", () =>
  visitAsAdmin("/contacts", async (page) => {
    await page.getByRole("heading", { name: "Contacts", level: 1 }).waitFor()
    const cookies = await page.context().cookies()
    await page.context().clearCookies()
    // not by its link: something else may have been refused, and the dialog be in front of it
    await page.evaluate(() => history.pushState(null, "", location.pathname.replace("contacts", "segments")))
    const dialog = page.getByRole("dialog")
    await dialog.getByText("Your session has ended").waitFor()
    await page.context().addCookies(cookies)
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")))
    await dialog.waitFor({ state: "detached" })
  }))

test("A closed server says so before somebody fills in the form, and too many attempts lock one address only", () =>
  visitServer({ path: null, settings: { "accounts.signups": "false" }, allowed: /4\d\d/ }, async ({ page, server }) => {
    await server.app.accounts.createUser("owner@acme.test", password)
    await page.goto(`${server.url}/app/sign-up`)
    await page.getByRole("heading", { name: "No new accounts" }).waitFor()
    await page.getByRole("link", { name: "Sign in" }).click()
    for (let time = 0; time < 11; time++) {
      await signIn(page, "pete@acme.test", "wrong")
      await page.getByRole("alert").waitFor()
    }
    await page.getByText("Too many attempts.").waitFor()
    await signIn(page, "owner@acme.test")
    await page.getByRole("heading", { name: "Name your project" }).waitFor()
  }))

test("New keys of which the answer was lost take the place of the old ones in view, and nothing says that there are none", () =>
  visitServer({ path: null, allowed: /40[13]|ERR_FAILED/ }, async ({ page, server }) => {
    const { id, secret } = await withAdmin(server)
    await signInAt(page, server, "owner@acme.test", `/app/p/${id}/settings/keys`)
    await page.getByRole("button", { name: "Show", exact: true }).click()
    await page.getByText(secret, { exact: true }).waitFor()
    await page.route("**/regenerate-keys", async (route) => {
      await route.fetch()
      await route.abort()
    })
    await page.getByRole("button", { name: "Make new keys" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Make new keys" }).click()
    await page.getByText("The server does not answer. It may have done this all the same.").waitFor()
    expect(await page.getByText("Not rotated").count()).toBe(0)
    await page.getByText(secret, { exact: true }).waitFor({ state: "detached" })
  }))

test("Settings show what the project has to who was typing others when they lost the right to change them", () =>
  visitAsAdmin("/settings", async (page, { owner, id }) => {
    const name = field(page, "Name")
    await name.fill("Shop")
    await changeRoleOfGrace(owner, id, "MEMBER")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("The owner and the admins of this project can change these settings.").waitFor()
    expect(await name.inputValue()).toBe("Acme")
    await page.getByRole("link", { name: "Contacts", exact: true }).click()
    await page.getByRole("heading", { name: "Contacts" }).waitFor()
  }))

test("What somebody was typing when they were removed from the project is there again once they are back", () =>
  visitAsAdmin("/settings", async (page, { owner, id, secret }) => {
    await page.goto(await addSegment(page, id, secret))
    await field(page, "Name").fill("Typed by Grace")
    await owner.call("DELETE", `/projects/${id}/members/${await idOfGrace(owner, id)}`)
    await page.keyboard.press("Control+s")
    await field(page, "Name").and(page.getByPlaceholder("Acme")).waitFor()
    await page.getByText("The project at this address is not open to you").waitFor()
    await owner.call("POST", `/projects/${id}/members`, { email: "grace@acme.test", role: "MEMBER" })
    await page.reload()
    await page.getByText("What you had not saved of this segment is still here.").waitFor()
    expect(await field(page, "Name").inputValue()).toBe("Typed by Grace")
  }))

test("What somebody had not saved is not shown to who signs in after them in the same browser", () =>
  visitAsAdmin("/settings", async (page, { id, secret }) => {
    const url = await addSegment(page, id, secret)
    await page.goto(url)
    await field(page, "Name").fill("Typed by Grace")
    const other = await page.context().newPage()
    await other.goto(new URL("/app/account", url).href)
    await other.getByRole("button", { name: /^Sign out: / }).click()
    await page.keyboard.press("Control+s")
    await page.getByText("Your session has ended").waitFor()
    await signIn(other, "owner@acme.test")
    await other.getByRole("heading", { name: "Sign in" }).waitFor({ state: "detached" })
    // as when its tab is looked at again
    await page.evaluate(() => dispatchEvent(new Event("focus")))
    await page.getByText("owner@acme.test").waitFor()
    expect(await field(page, "Name").inputValue()).toBe("VIPs")
  }))

test("Removing a member who is gone already is no failure", () =>
  visitServer({ path: null, allowed: /40[134]/ }, async ({ page, server }) => {
    const { owner, id } = await withAdmin(server)
    await signInAt(page, server, "owner@acme.test", `/app/p/${id}/settings/members`)
    await page.getByRole("button", { name: "Actions for grace@acme.test" }).click()
    await owner.call("DELETE", `/projects/${id}/members/${await idOfGrace(owner, id)}`)
    await page.getByRole("menuitem", { name: "Remove" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click()
    await page.getByRole("row").filter({ hasText: "grace@acme.test" }).waitFor({ state: "detached" })
    expect(await page.getByText("Not removed").count()).toBe(0)
  }))
