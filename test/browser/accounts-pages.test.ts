import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { alertTable } from "../../src/modules/alerts/table.ts"
import { type AccountServer, password } from "./account-server.ts"
import { faultsAtSizes } from "./axe.ts"
import { loaded, moveTo, visitServer, withBrowser } from "./harness.ts"

withBrowser()

const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })
const heading = (page: Page, name: string) => page.getByRole("heading", { name, level: 1, exact: true })

async function signIn(page: Page, server: AccountServer, email: string, path: string): Promise<void> {
  await page.context().clearCookies()
  await page.goto(server.url + path)
  await field(page, "Email").fill(email)
  await field(page, "Password").fill(password)
  await button(page, "Sign in").click()
  await button(page, "Sign in").waitFor({ state: "detached" })
}

test("an account waits until its address is confirmed on the page of the link (contract B8.2.17), and goes on", () =>
  visitServer(
    { path: null, allowed: /40[013]|ERR_FAILED/, settings: { "system_mail.from": "mail@acme.test" } },
    async ({ page, server }) => {
      await server.signUp("owner@acme.test")
      await page.goto(`${server.url}/app/sign-up`)
      await field(page, "Email").fill("grace@acme.test")
      await field(page, "Password").fill(password)
      await button(page, "Create account").click()
      await heading(page, "Confirm your address").waitFor()
      await page.getByText("A link is on its way to grace@acme.test.").waitFor()
      await button(page, "Send the link again").click()
      await button(page, "Another link is on its way").waitFor()
      await button(page, "I have confirmed it").click()
      await heading(page, "Confirm your address").waitFor()
      const link = await server.link("verify")
      await page.goto(link)
      await button(page, "Confirm").waitFor()
      await moveTo(page, "/app")
      await button(page, "I have confirmed it").waitFor()
      await page.goto(link)
      await page.route("**/auth/verify-email", (route) => route.abort(), { times: 1 })
      await button(page, "Confirm").click()
      await page.getByRole("alert").filter({ hasText: "The server does not answer." }).waitFor()
      await button(page, "Confirm").click()
      await heading(page, "Your address is confirmed").waitFor()
      await page.getByRole("link", { name: "Go on" }).click()
      await heading(page, "Name your project").waitFor()
      await page.goto(link)
      await button(page, "Confirm").click()
      await heading(page, "Not confirmed").waitFor()
    },
  ))

test("a user without a project has their account, and the way back", () =>
  visitServer({ path: null, allowed: /40[13]/ }, async ({ page, server }) => {
    await server.signUp("owner@acme.test")
    await signIn(page, server, "owner@acme.test", "/app")
    await heading(page, "Name your project").waitFor()
    await page.getByRole("link", { name: "Your account" }).click()
    await heading(page, "Your account").waitFor()
    await page.getByRole("list", { name: "Sessions" }).getByText("this one").waitFor()
    await field(page, "Present password").fill(password)
    await field(page, "New password").fill("quiet lamp seven rivers")
    await button(page, "Change the password").click()
    await page.getByText("Your new password is set").waitFor()
    await page.getByRole("link", { name: "Back" }).click()
    await heading(page, "Name your project").waitFor()
    await button(page, "Sign out").click()
    await heading(page, "Sign in").waitFor()
  }))

test("an address changes with the password, once the link at the new one is opened", () =>
  visitServer({ path: null, allowed: /40[139]/ }, async ({ page, server }) => {
    const owner = await server.signUp("owner@acme.test")
    await server.signUp("taken@acme.test")
    await owner.createProject("Acme")
    await signIn(page, server, "owner@acme.test", "/app/account")
    await field(page, "New address").fill("taken@acme.test")
    await field(page, "Your password").fill("wrong")
    await button(page, "Change the address").click()
    await page.getByText("That is not your password.").waitFor()
    await field(page, "Your password").fill(password)
    await button(page, "Change the address").click()
    await page.getByText("There is an account with this address already.").waitFor()
    await field(page, "New address").fill("new@acme.test")
    await button(page, "Change the address").click()
    await page
      .getByText(/^A link is on its way to new@acme.test. owner@acme.test stays your address until you confirm/)
      .waitFor()
    await button(page, "Signed in as owner@acme.test").waitFor()
    await page.goto(await server.link("verify"))
    await button(page, "Confirm").click()
    await page.getByRole("link", { name: "Go on" }).click()
    await button(page, "Signed in as new@acme.test").waitFor()
  }))

test("a project is emptied once its name is typed; keys and members stay", () =>
  visitServer({ path: null, allowed: /40[13]/ }, async ({ page, server }) => {
    const owner = await server.signUp("owner@acme.test")
    const { id, secret } = await owner.createProject("Acme")
    const headers = { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" }
    const contacts = async () => (await (await fetch(`${server.url}/contacts`, { headers })).json()).total
    await fetch(`${server.url}/contacts`, { method: "POST", headers, body: '{"email":"ada@example.com"}' })
    expect(await contacts()).toBe(1)
    await signIn(page, server, "owner@acme.test", `/app/p/${id}/contacts`)
    await page.getByRole("link", { name: "ada@example.com" }).waitFor()
    await page.getByRole("link", { name: "Settings" }).click()
    await page.getByRole("link", { name: "Reset", exact: true }).click()
    await button(page, "Reset the project").click()
    const dialog = page.getByRole("dialog", { name: "Reset the project" })
    expect(await dialog.getByRole("button", { name: "Reset the project" }).isDisabled()).toBe(true)
    await dialog.getByLabel("Type Acme to go on").fill("Acme")
    await dialog.getByRole("button", { name: "Reset the project" }).click()
    await page.getByText("Acme is empty").waitFor()
    expect(await contacts()).toBe(0)
    await page.getByRole("link", { name: "Contacts", exact: true }).click()
    await heading(page, "Contacts").waitFor()
    await page.getByRole("link", { name: "ada@example.com" }).waitFor({ state: "detached" })
  }))

test("the owner of the server sees all projects, disables one and enables it again", () =>
  visitServer({ path: null, allowed: /40[13]/ }, async ({ page, server }) => {
    const owner = await server.signUp("owner@acme.test")
    await owner.createProject("Own")
    const other = await server.signUp("grace@acme.test")
    const { id, secret } = await other.createProject("Shop of Grace")
    const status = async () =>
      (await fetch(`${server.url}/contacts`, { headers: { Authorization: `Bearer ${secret}` } })).status
    await signIn(page, server, "owner@acme.test", "/app")
    await button(page, "Signed in as owner@acme.test").click()
    await page.getByRole("menuitem", { name: "This server" }).click()
    const row = page.getByRole("row").filter({ hasText: "Shop of Grace" })
    await row.getByText("grace@acme.test").waitFor()
    await row.getByText("Active", { exact: true }).waitFor()
    await row.getByRole("button", { name: "Actions for Shop of Grace" }).click()
    await page.getByRole("menuitem", { name: "Disable" }).click()
    const question = page.getByRole("dialog", { name: "Disable Shop of Grace?" })
    await question.getByText("Its keys are refused and no mail leaves").waitFor()
    await question.getByRole("button", { name: "Disable" }).click()
    await row.getByText("Disabled", { exact: true }).waitFor()
    expect(await status()).toBe(403)

    await signIn(page, server, "grace@acme.test", `/app/p/${id}/contacts`)
    await page.getByText("Shop of Grace is disabled: the owner of this server has switched it off.").waitFor()
    await page.goto(`${server.url}/app/p/${id}/settings/danger`)
    await page.getByText("Not while the project is disabled.").waitFor()

    await signIn(page, server, "owner@acme.test", "/app/instance")
    await row.getByRole("button", { name: "Actions for Shop of Grace" }).click()
    await page.getByRole("menuitem", { name: "Enable" }).click()
    await row.getByText("Active", { exact: true }).waitFor()
    expect(await status()).toBe(200)
  }))

test("the configuration is shown and searched, the audit tells what was done, and nobody else is let in", () =>
  visitServer({ path: null, allowed: /40[13]/ }, async ({ page, server }) => {
    const owner = await server.signUp("owner@acme.test")
    const { id } = await owner.createProject("Acme")
    await owner.call("PATCH", `/users/@me/projects/${id}`, { tracking: "MARKETING_ONLY" })
    const member = await server.signUp("grace@acme.test")
    await member.createProject("Graces")
    await signIn(page, server, "owner@acme.test", "/app/instance")
    await page.getByRole("link", { name: "Configuration" }).click()
    await page.getByText("accounts.signups = false").waitFor()
    await page.getByText("http.base_url", { exact: true }).waitFor()
    await page.getByPlaceholder("Search settings").fill("per_minute")
    await page.getByText("limits.requests_per_minute", { exact: true }).waitFor()
    await page.getByText("http.base_url", { exact: true }).waitFor({ state: "detached" })
    await page.getByRole("link", { name: "Audit" }).click()
    await page.getByText("Changed the settings: tracking is now on for marketing mail only").waitFor()
    await page.setViewportSize({ width: 1280, height: 300 })
    const log = page.getByRole("region", { name: "Audit log" })
    await log.press("End")
    await page.waitForFunction((it) => (it?.scrollTop ?? 0) > 0, await log.elementHandle())

    await signIn(page, server, "grace@acme.test", "/app/instance")
    await heading(page, "Not found").waitFor()
    expect(await page.getByText("This server").count()).toBe(0)
  }))

test("the health of the server shows the alerts in force and the report of the doctor, the worst first", () =>
  visitServer({ path: null, allowed: /40[13]/, freeBytes: 90 * 1_048_576 }, async ({ page, server }) => {
    const owner = await server.signUp("owner@acme.test")
    await owner.createProject("Acme")
    while ((await server.app.store.read.$count(alertTable)) === 0) await Bun.sleep(10)
    await signIn(page, server, "owner@acme.test", "/app/instance")
    await page.getByRole("link", { name: "Health" }).click()
    await page.getByRole("list", { name: "Alerts" }).getByText("Only 90 MB are free on the disk").waitFor()
    const rows = page.getByRole("list", { name: "Checks" }).getByRole("listitem")
    await rows.filter({ hasText: "The database is sound." }).waitFor()
    const results = (await rows.allTextContents()).map((text) => /^(?:Fails|Warning|Good)/.exec(text)?.[0] ?? "")
    const order = ["Fails", "Warning", "Good"]
    expect(results.map((each) => order.indexOf(each))).toEqual(results.map((each) => order.indexOf(each)).toSorted())
    await page.getByRole("button", { name: "Look again" }).click()
    await rows.filter({ hasText: "The database is sound." }).waitFor()
  }))

test("the alerts stay while they cannot be read again", () =>
  visitServer({ path: null, allowed: /40[13]|422/, alone: true }, async ({ page, server }) => {
    const owner = await server.signUp("owner@acme.test")
    await owner.createProject("Acme")
    await signIn(page, server, "owner@acme.test", "/app/instance")
    await page.clock.install()
    await page.getByRole("link", { name: "Health" }).click()
    const alerts = page.getByRole("region", { name: "Alerts" })
    await alerts.getByText("There is none.").waitFor()
    const path = "**/instance/alerts"
    await page.route(path, (route) =>
      route.fulfill({ status: 422, json: { error: { message: "Not now.", code: "X" } } }),
    )
    const answer = page.waitForResponse(path)
    await page.clock.fastForward("01:01")
    await (await answer).finished()
    await page.clock.fastForward("00:01")
    expect(await alerts.getByText("There is none.").count()).toBe(1)
  }))

test("a project that was deleted elsewhere leaves the list once it cannot be disabled", () =>
  visitServer({ path: null, allowed: /40[134]/ }, async ({ page, server }) => {
    const owner = await server.signUp("owner@acme.test")
    await owner.createProject("Own")
    const other = await server.signUp("grace@acme.test")
    const { id } = await other.createProject("Shop of Grace")
    await signIn(page, server, "owner@acme.test", "/app/instance")
    const row = page.getByRole("row").filter({ hasText: "Shop of Grace" })
    await row.waitFor()
    await other.call("DELETE", `/users/@me/projects/${id}`)
    await row.getByRole("button", { name: "Actions for Shop of Grace" }).click()
    await page.getByRole("menuitem", { name: "Disable" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click()
    await page.getByText("Not disabled").waitFor()
    await row.waitFor({ state: "detached" })
  }))

test("projects are switched by search, the last used first, and made in the same place", () =>
  visitServer({ path: null, allowed: /40[13]/ }, async ({ page, server }) => {
    const owner = await server.signUp("owner@acme.test")
    for (const name of ["One", "Two", "Three", "Four", "Five", "Six"]) await owner.createProject(name)
    await signIn(page, server, "owner@acme.test", "/app")
    const open = async (name: string) => {
      await heading(page, name).waitFor()
      await button(page, `Project ${name}, switch`).click()
      await field(page, "Search projects").waitFor()
    }
    const choices = page.getByRole("menuitemradio")
    const first = (await page.getByRole("heading", { level: 1 }).textContent()) ?? ""
    await open(first)
    await field(page, "Search projects").fill("fou")
    expect(await choices.allTextContents()).toEqual(["Four"])
    await field(page, "Search projects").fill("none of them")
    await page.getByText("No project goes by that name.").waitFor()
    await page.keyboard.press("Escape")
    await field(page, "Search projects").waitFor({ state: "detached" })
    await button(page, `Project ${first}, switch`).press("Enter")
    await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Search projects")
    await page.keyboard.type("fou")
    await page.keyboard.press("Enter")
    await open("Four")
    await choices.filter({ hasText: "Two" }).click()
    await open("Two")
    expect((await choices.allTextContents()).slice(0, 2)).toEqual(["Two", "Four"])
    await page.getByRole("menuitem", { name: "New project" }).click()
    await page.getByRole("dialog").getByLabel("Name").fill("Seven")
    await page.getByRole("dialog").getByRole("button", { name: "Create project" }).click()
    await open("Seven")
    expect((await choices.allTextContents()).slice(0, 3)).toEqual(["Seven", "Two", "Four"])
  }))

test("the home page offers a domain to those who may add one, and tells a member who can", () =>
  visitServer({ path: null, allowed: /40[13]/ }, async ({ page, server }) => {
    const owner = await server.signUp("owner@acme.test")
    const { id } = await owner.createProject("Acme")
    const member = await server.signUp("grace@acme.test")
    await owner.call("POST", `/projects/${id}/members`, { email: member.email })
    await signIn(page, server, member.email, `/app/p/${id}/home`)
    await page.getByText("The owner and the admins of this project can add a domain.").waitFor()
    expect(await button(page, "Add a domain").count()).toBe(0)
    await page.getByRole("button", { name: "Send the first mail" }).click()
    await page.getByText("The owner and the admins of this project can give you its secret key.").waitFor()
    expect(await button(page, "Fill in the secret key").count()).toBe(0)
    await page.getByText("In place of shop.test, send from a verified domain of this project").waitFor()

    await signIn(page, server, "owner@acme.test", `/app/p/${id}/home`)
    await button(page, "Add a domain").click()
    await heading(page, "Domains").waitFor()
    await server.app.domains.add(id, "acme.test", { vouched: true })
    await page.goto(`${server.url}/app/p/${id}/home`)
    await page.getByText('"email": "hello@acme.test"').waitFor()
  }))

test("a server without a transport says so on the home page and where its transports are", () =>
  visitServer({ path: null, allowed: /40[13]/ }, async ({ page, server }) => {
    const owner = await server.signUp("owner@acme.test")
    const { id } = await owner.createProject("Acme")
    await page.route("**/config", async (route) => {
      const config = await (await route.fetch()).json()
      config.features.email.captured = true
      await route.fulfill({ json: config })
    })
    await signIn(page, server, "owner@acme.test", `/app/p/${id}/home`)
    const problem = page.getByRole("link", { name: "No mail leaves this server" })
    await problem.click()
    await heading(page, "This server").waitFor()
    await page.getByText("it is captured until mail.url names a transport").waitFor()
    await page.goto(`${server.url}/app/p/${id}/inbox`)
    await heading(page, "Waiting for your first mail").waitFor()
    expect(await problem.count()).toBe(0)
  }))

/** Whether everything with this text is wholly within the width of the window. */
const fits = (page: Page, selector: string) =>
  page
    .locator(selector)
    .evaluateAll((all) =>
      all.every((one) => one.getBoundingClientRect().left >= 0 && one.getBoundingClientRect().right <= innerWidth),
    )

test("on a phone all pages of the settings stand beside each other, and long names end in dots", () =>
  visitServer({ path: null, allowed: /40[13]/, viewport: { width: 390, height: 844 } }, async ({ page, server }) => {
    const owner = await server.signUp("owner@acme.test")
    const { id } = await owner.createProject("Acme")
    await owner.createProject("The newsletter of the whole company and its friends")
    await signIn(page, server, "owner@acme.test", `/app/p/${id}/settings`)
    await page.getByRole("link", { name: "Reset", exact: true }).waitFor()
    expect(await fits(page, "nav[aria-label=Settings] a")).toBe(true)
    await button(page, "Open navigation").click()
    await page.getByRole("button", { name: "Project Acme, switch" }).last().click()
    const name = page.getByRole("menuitemradio").filter({ hasText: "newsletter" }).locator("span").last()
    await name.waitFor()
    const { width, shown } = await name.evaluate((one) => ({ width: one.scrollWidth, shown: one.clientWidth }))
    expect(width).toBeGreaterThan(shown)
  }))

const ofProject = [
  "/home",
  ...["", "/keys", "/members", "/audit", "/requests", "/danger"].map((path) => `/settings${path}`),
  "/domains/reputation",
  "/analytics",
]
const ofServer = ["", "/health", "/transports", "/requests", "/storage", "/backups", "/settings", "/audit"]

/** A part of the pages each, so that a test ends in time on a slow machine. */
test.each([
  ["home, settings, reputation and analytics", (project: string) => ofProject.map((path) => project + path)],
  ["account and server", () => ["/app/account", ...ofServer.map((path) => `/app/instance${path}`)]],
] as const)("axe finds nothing on the pages of %s, wide and on a phone (WCAG 2.2 AA)", (_, pathsWith) =>
  visitServer({ path: null, allowed: /40[13]/ }, async ({ page, server }) => {
    const owner = await server.signUp("owner@acme.test")
    const { id } = await owner.createProject("Acme")
    const member = await server.signUp("grace@acme.test")
    await owner.call("POST", `/projects/${id}/members`, { email: member.email })
    await member.createProject("Graces")
    await signIn(page, server, "owner@acme.test", `/app/p/${id}/home`)
    await loaded(page)
    const found: Record<string, string[]> = {}
    for (const path of pathsWith(`/app/p/${id}`)) {
      await moveTo(page, path)
      expect(page.url()).toEndWith(path)
      const wrong = await faultsAtSizes(page)
      if (wrong.length > 0) found[path] = wrong
    }
    expect(found).toEqual({})
  }),
)

test("axe finds nothing on the page to sign in and on those without a project, wide and on a phone (WCAG 2.2 AA)", () =>
  visitServer({ path: null, allowed: /40[13]/ }, async ({ page, server }) => {
    await server.signUp("owner@acme.test")
    await page.goto(`${server.url}/app`)
    await button(page, "Sign in").waitFor()
    const found = [await faultsAtSizes(page)]
    const other = await server.signUp("ada@acme.test")
    await signIn(page, server, other.email, "/app")
    await heading(page, "Name your project").waitFor()
    found.push(await faultsAtSizes(page))
    await page.getByRole("link", { name: "Your account" }).click()
    await page.getByText("this one").waitFor()
    found.push(await faultsAtSizes(page))
    expect(found).toEqual([[], [], []])
  }))
