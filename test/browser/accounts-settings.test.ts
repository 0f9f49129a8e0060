import { expect, test } from "bun:test"
import { password } from "./account-server.ts"
import { moveTo, visit, visitServer, withBrowser } from "./harness.ts"
import { field, signInAt } from "./sign-in.ts"

withBrowser()

test("the secret key is shown after the password was given, and new keys invalidate the old ones", () =>
  visitServer({ path: "/app/sign-up", allowed: /40[14]/ }, async ({ page, server }) => {
    const owner = await server.signUp("owner@acme.test")
    const { id, secret } = await owner.createProject("Acme")
    await signInAt(page, server, "owner@acme.test", `/app/p/${id}/settings`)
    // the password given at sign-in counts while the tab is open
    await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor()
    await page.reload()
    await page.getByRole("link", { name: "API keys" }).click()
    expect(await page.getByText(secret).count()).toBe(0)
    await page.getByText("sk_…").first().waitFor()
    await page.getByRole("button", { name: "Show", exact: true }).click()
    const dialog = page.getByRole("dialog", { name: "Your password, please" })
    await dialog.getByLabel("Password", { exact: true }).fill("wrong")
    await page.keyboard.press("Enter")
    await dialog.getByText("That is not your password.").waitFor()
    await dialog.getByLabel("Password", { exact: true }).fill(password)
    await page.keyboard.press("Enter")
    await page.getByText(secret, { exact: true }).waitFor()
    await page.getByRole("region", { name: "curl command" }).filter({ hasText: secret }).waitFor()

    await page.getByRole("button", { name: "Make new keys" }).click()
    const question = page.getByRole("dialog", { name: "Make new keys?" })
    await question.getByText("requests and SMTP logins with the old secret key are refused").waitFor()
    await question.getByRole("button", { name: "Make new keys" }).click()
    await page.getByText(secret, { exact: true }).waitFor({ state: "detached" })
    const answer = await fetch(`${server.url}/contacts`, { headers: { Authorization: `Bearer ${secret}` } })
    expect(answer.status).toBe(401)
  }))

test("the keys are those of now when their page or the examples are opened, also where somebody else has replaced them", () =>
  visitServer({ path: null }, async ({ page, server }) => {
    const owner = await server.signUp("owner@acme.test")
    const { id } = await owner.createProject("Acme")
    await signInAt(page, server, "owner@acme.test", `/app/p/${id}/settings`)
    await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor()
    const replace = async () =>
      (await owner.call("POST", `/users/@me/projects/${id}/regenerate-keys`)) as { public: string; secret: string }
    const made = await replace()
    await page.getByRole("link", { name: "API keys" }).click()
    await page.getByText(made.public, { exact: true }).waitFor()
    await page.getByRole("button", { name: "Show", exact: true }).click()
    await page.getByText(made.secret, { exact: true }).waitFor()
    const { secret } = await replace()
    await page.getByRole("button", { name: "How to send" }).click()
    await page.getByRole("dialog").getByText(secret).waitFor()
  }))

test("what is typed while settings are being saved is not lost", () =>
  visit({ path: "/app/settings" }, async ({ page }) => {
    const held = Promise.withResolvers<() => Promise<void>>()
    await page.route("**/users/@me/projects/*", (route) => held.resolve(() => route.continue()), { times: 1 })
    const name = field(page, "Name")
    const address = field(page, "Postal address")
    await name.fill("Acme")
    await page.getByRole("button", { name: "Save" }).click()
    const goOn = await held.promise
    await address.fill("1 Main Street")
    await goOn()
    await page.getByText("Saved", { exact: true }).waitFor()
    expect([await name.inputValue(), await address.inputValue()]).toEqual(["Acme", "1 Main Street"])
    await page.getByRole("button", { name: "Save" }).and(page.locator(":enabled")).click()
    await page.waitForFunction(async () => {
      const [project] = await (await fetch("/users/@me/projects")).json()
      return project.name === "Acme" && project.postalAddress === "1 Main Street"
    })
  }))

test("saving and discarding settings keeps the focus", () =>
  visit({ path: "/app/settings" }, async ({ page }) => {
    const name = field(page, "Name")
    await name.fill("Acme")
    const save = page.getByRole("button", { name: "Save" })
    await save.focus()
    await page.keyboard.press("Enter")
    await page.getByText("Saved", { exact: true }).waitFor()
    await page.waitForFunction(() => document.activeElement?.textContent === "Save")
    expect(await save.isDisabled()).toBe(true)
    await name.fill("Other")
    await page.getByRole("button", { name: "Discard" }).focus()
    await page.keyboard.press("Enter")
    await page.waitForFunction(() => document.activeElement?.textContent === "Save")
    expect(await name.inputValue()).toBe("Acme")
  }))

test("members are added by address, and for an unknown address the page shows how to create an account", () =>
  visitServer({ path: "/app/sign-up", allowed: /40[14]/ }, async ({ page, server }) => {
    const owner = await server.signUp("owner@acme.test")
    const { id } = await owner.createProject("Acme")
    await signInAt(page, server, "owner@acme.test", `/app/p/${id}/settings/members`)
    await page.getByText("Add only who has told you that the account is theirs.").waitFor()
    await field(page, "Email").fill("grace@acme.test")
    await page.getByRole("button", { name: "Add", exact: true }).click()
    const told = page.getByRole("alert").filter({ hasText: "grace@acme.test has no account on this server yet." })
    await told.getByText(`${server.url}/app/sign-up`).waitFor()

    await server.signUp("grace@acme.test")
    await page.getByRole("button", { name: "Add", exact: true }).click()
    const row = page.getByRole("row").filter({ hasText: "grace@acme.test" })
    await row.getByLabel("Role of grace@acme.test").selectOption("ADMIN")
    await page.waitForFunction(async (project) => {
      const { data } = await (await fetch(`/projects/${project}/members`)).json()
      return data.some(
        ({ email, role }: { email: string; role: string }) => email === "grace@acme.test" && role === "ADMIN",
      )
    }, id)
    await row.getByRole("button", { name: "Actions for grace@acme.test" }).click()
    await page.getByRole("menuitem", { name: "Remove" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click()
    await row.waitFor({ state: "detached" })
  }))

test("adding a member takes back the advice for an address without an account, and leaves alone an address typed meanwhile", () =>
  visitServer({ path: "/app/sign-up", allowed: /40[14]/ }, async ({ page, server }) => {
    const owner = await server.signUp("owner@acme.test")
    const { id } = await owner.createProject("Acme")
    await signInAt(page, server, "owner@acme.test", `/app/p/${id}/settings/members`)
    await field(page, "Email").fill("grace@acme.test")
    const add = page.getByRole("button", { name: "Add", exact: true })
    await add.click()
    const told = page.getByText("grace@acme.test has no account on this server yet.")
    await told.waitFor()

    await server.signUp("grace@acme.test")
    await add.click()
    await page.getByRole("row").filter({ hasText: "grace@acme.test" }).waitFor()
    await told.waitFor({ state: "detached" })

    await server.signUp("pete@acme.test")
    await field(page, "Email").fill("pete@acme.test")
    const held = Promise.withResolvers<() => Promise<void>>()
    await page.route("**/members", (route) => held.resolve(() => route.continue()), { times: 1 })
    await add.click()
    const goOn = await held.promise
    await field(page, "Email").fill("ada@acme.test")
    await goOn()
    await page.getByText("pete@acme.test is a member now").waitFor()
    expect(await field(page, "Email").inputValue()).toBe("ada@acme.test")
  }))

test("who was removed or added in another window is no longer, or now, in the list after the attempt", () =>
  visitServer({ path: "/app/sign-up", allowed: /40[149]/ }, async ({ page, server }) => {
    const owner = await server.signUp("owner@acme.test")
    const { id } = await owner.createProject("Acme")
    await server.signUp("grace@acme.test")
    const add = () => owner.call("POST", `/projects/${id}/members`, { email: "grace@acme.test" })
    await add()
    await signInAt(page, server, "owner@acme.test", `/app/p/${id}/settings/members`)
    const row = page.getByRole("row").filter({ hasText: "grace@acme.test" })
    await row.waitFor()
    const { data } = (await owner.call("GET", `/projects/${id}/members`)) as {
      data: { userId: string; role: string }[]
    }
    const grace = data.find(({ role }) => role === "MEMBER")
    await owner.call("DELETE", `/projects/${id}/members/${grace?.userId}`)
    await row.getByRole("button", { name: "Actions for grace@acme.test" }).click()
    await page.getByRole("menuitem", { name: "Remove" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click()
    await row.waitFor({ state: "detached" })
    await add()
    await field(page, "Email").fill("grace@acme.test")
    await page.getByRole("button", { name: "Add", exact: true }).click()
    await page.getByText("This person is already a member.").waitFor()
    await row.waitFor()
  }))

test("a member is not offered actions without permission, and can leave the project", () =>
  visitServer({ path: null, allowed: /40[134]/ }, async ({ page, server }) => {
    const owner = await server.signUp("owner@acme.test")
    const { id } = await owner.createProject("Acme")
    const member = await server.signUp("grace@acme.test")
    await owner.call("POST", `/projects/${id}/members`, { email: member.email })
    await signInAt(page, server, member.email, `/app/p/${id}/settings`)
    await page.getByText("The owner and the admins of this project can change these settings.").waitFor()
    expect(await field(page, "Name").isDisabled()).toBe(true)
    // they are readable, as their descriptions are
    const looks = (selector: string) =>
      page.locator(selector).evaluateAll((all) => {
        const colors = all.map((one) => getComputedStyle(one)).map(({ color, opacity }) => `${color} ${opacity}`)
        return [...new Set(colors)]
      })
    const values = await looks("main :is(input[type=text], input:not([type]), select), main label[data-disabled]")
    expect(values).toEqual(await looks("main .mantine-InputWrapper-description >> nth=0"))
    const tabs = page.getByRole("navigation", { name: "Settings" }).getByRole("link")
    expect(await tabs.allTextContents()).toEqual(["General", "API keys", "Members"])
    await page.goto(`${server.url}/app/p/${id}/settings/danger`)
    await page.getByText("The owner and the admins of this project can change these settings.").waitFor()

    await tabs.filter({ hasText: "API keys" }).click()
    await page.getByText("The secret key is shown to the owner and the admins of this project.").waitFor()
    await page.getByRole("button", { name: `Signed in as ${member.email}` }).click()
    await page.getByRole("menuitem", { name: "Your account" }).waitFor()
    expect(await page.getByRole("menuitem", { name: "This server" }).count()).toBe(0)
    await page.keyboard.press("Escape")

    await tabs.filter({ hasText: "Members" }).click()
    await page.getByRole("row").filter({ hasText: member.email }).waitFor()
    expect(await page.getByRole("button", { name: "Add", exact: true }).count()).toBe(0)
    await page.getByRole("button", { name: `Actions for ${member.email}` }).click()
    await page.getByRole("menuitem", { name: "Leave the project" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click()
    await page.getByRole("heading", { name: "Name your project" }).waitFor()
    expect(await page.getByText("not open to you").count()).toBe(0)
  }))

test("a project is deleted once its name is typed, and another project is shown", () =>
  visitServer({ path: "/app/sign-up", allowed: /40[134]/ }, async ({ page, server }) => {
    const owner = await server.signUp("owner@acme.test")
    const { id } = await owner.createProject("Acme")
    await owner.createProject("Second")
    await signInAt(page, server, "owner@acme.test", `/app/p/${id}/settings/danger`)
    await page.getByRole("button", { name: "Delete the project" }).click()
    const dialog = page.getByRole("dialog", { name: "Delete the project" })
    const sure = dialog.getByRole("button", { name: "Delete the project" })
    await dialog.getByLabel("Type Acme to go on").fill("Acm")
    expect(await sure.isDisabled()).toBe(true)
    await dialog.getByLabel("Type Acme to go on").fill("Acme")
    await sure.click()
    await page.getByRole("heading", { name: "Second", level: 1 }).waitFor()
    expect(await server.app.projects.list()).toHaveLength(1)

    // the next one is not a step of the set-up
    const [{ id: last } = { id: "" }] = await server.app.projects.list()
    await moveTo(page, `/app/p/${last}/settings/danger`)
    await page.getByRole("button", { name: "Delete the project" }).click()
    await dialog.getByLabel("Type Second to go on").fill("Second")
    await sure.click()
    await page.getByRole("heading", { name: "Name your project" }).waitFor()
    expect(await page.getByText("The last step").count()).toBe(0)
    expect(await page.getByText("not open to you").count()).toBe(0)
  }))

test("the name that confirms a deletion is typed as the page shows it", () =>
  visitServer({ path: "/app/sign-up", allowed: /40[134]/ }, async ({ page, server }) => {
    const owner = await server.signUp("owner@acme.test")
    const { id } = await owner.createProject("Cafe\u0301  Nord")
    await signInAt(page, server, "owner@acme.test", `/app/p/${id}/settings/danger`)
    await page.getByRole("button", { name: "Delete the project" }).click()
    const dialog = page.getByRole("dialog", { name: "Delete the project" })
    await dialog.getByRole("textbox").fill("Caf\u00e9 Nord")
    await dialog.getByRole("button", { name: "Delete the project" }).click()
    await page.getByRole("heading", { name: "Name your project" }).waitFor()
    expect(await server.app.projects.list()).toEqual([])
  }))

test("changing the password requires the present one and ends other sessions", () =>
  visitServer({ path: "/app/sign-up", allowed: /40[14]/ }, async ({ page, server }) => {
    const owner = await server.signUp("owner@acme.test")
    await owner.createProject("Acme")
    await signInAt(page, server, "owner@acme.test", "/app/account")
    const sessions = page.getByRole("list", { name: "Sessions" }).getByRole("listitem")
    await sessions.nth(1).waitFor()
    await field(page, "Present password").fill("wrong")
    await field(page, "New password").fill("quiet lamp seven rivers")
    await page.getByRole("button", { name: "Change the password" }).click()
    await page.getByText("That is not your password.").waitFor()
    await field(page, "Present password").fill(password)
    await page.getByRole("button", { name: "Change the password" }).click()
    await page.getByText("Your new password is set").waitFor()
    await sessions.nth(1).waitFor({ state: "detached" })
    expect(await sessions.count()).toBe(1)
  }))

test("a double click ends a session once, and one that has ended elsewhere leaves the list", () =>
  visitServer({ path: "/app/sign-up", allowed: /40[14]/ }, async ({ page, server }) => {
    const owner = await server.signUp("owner@acme.test")
    await owner.createProject("Acme")
    await signInAt(page, server, "owner@acme.test", "/app/account")
    const end = page.getByRole("list", { name: "Sessions" }).getByRole("button", { name: /^End/ })
    const requests: string[] = []
    await page.route("**/auth/sessions/*", async (route) => {
      requests.push(route.request().method())
      await route.continue()
    })
    await end.dblclick()
    await end.waitFor({ state: "detached" })
    expect(requests).toEqual(["DELETE"])

    const again = await fetch(`${server.url}/auth/login`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin" },
      body: JSON.stringify({ email: "owner@acme.test", password }),
    })
    const Cookie = again.headers
      .getSetCookie()
      .map((line) => line.split(";", 1)[0])
      .join("; ")
    await page.reload()
    await end.waitFor()
    await fetch(`${server.url}/auth/logout`, { headers: { Cookie } })
    await end.click()
    await page.getByText("Session not found.").waitFor()
    await end.waitFor({ state: "detached" })
  }))

test("language, postal address and what the public key may do are saved together", () =>
  visitServer({ path: "/app/sign-up", allowed: /40[14]|422/ }, async ({ page, server }) => {
    const owner = await server.signUp("owner@acme.test")
    const { id } = await owner.createProject("Acme")
    await signInAt(page, server, "owner@acme.test", `/app/p/${id}/settings`)
    await field(page, "Language").selectOption("de")
    await field(page, "Postal address").fill("1 Main Street, Springfield")
    await page.getByRole("checkbox", { name: "It may resubscribe people who have unsubscribed" }).uncheck()
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByText("Saved", { exact: true }).waitFor()
    const stored = async () => (await server.app.projects.get(id)) as object
    const expected = { language: "de", postalAddress: "1 Main Street, Springfield", publicResubscribe: false }
    expect(await stored()).toMatchObject(expected)
    await page.reload()
    await field(page, "Postal address").fill("")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByText("Saved", { exact: true }).waitFor()
    expect(await stored()).toMatchObject({ ...expected, postalAddress: null })
  }))

test("beside a name as long as it may be, the heading is one word", () =>
  visitServer({ path: null, viewport: { width: 1440, height: 900 } }, async ({ page, server }) => {
    const owner = await server.signUp("owner@acme.test")
    const { id } = await owner.createProject("W".repeat(100))
    await signInAt(page, server, "owner@acme.test", `/app/p/${id}/settings`)
    const box = await page.getByRole("heading", { name: "Settings", level: 1 }).boundingBox()
    expect(box?.height).toBeLessThan(30)
  }))
