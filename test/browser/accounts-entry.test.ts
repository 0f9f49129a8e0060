import { expect, test } from "bun:test"
import type { Page, Request } from "playwright-core"
import { password } from "./account-server.ts"
import { pathOf, visitServer, withBrowser } from "./harness.ts"
import { field, signIn, signInAt } from "./sign-in.ts"

withBrowser()

test("a new server asks for an account and a project, then shows the command for the first mail with its key", () =>
  visitServer({}, async ({ page, server }) => {
    await page.getByRole("heading", { name: "Welcome to your mail server" }).waitFor()
    // there is none to come if the command line has made a project already
    expect(await page.getByText("Step 1").count()).toBe(0)
    await field(page, "Email").fill("owner@acme.test")
    await field(page, "Password").fill("short")
    await page.getByRole("button", { name: "Create account" }).click()
    await page.getByText("A password has at least 8 characters.").waitFor()
    await field(page, "Password").fill(password)
    await page.keyboard.press("Enter")
    await page.getByText("The last step").waitFor()
    await field(page, "Name").fill("Acme Shop")
    await page.getByRole("button", { name: "Create project" }).click()
    await page.getByRole("heading", { name: "Acme Shop", level: 1 }).waitFor()
    expect(pathOf(page)).toBe("/app/home")
    const [project] = await server.app.projects.list()
    expect(page.url()).toContain(`/app/p/${project?.id}/`)
    await page.getByRole("button", { name: "Project Acme Shop, switch" }).waitFor()
    await page.getByRole("button", { name: "Send the first mail" }).click()
    await page.getByRole("button", { name: "Fill in the secret key" }).click()
    await page
      .getByRole("region", { name: "curl command" })
      .filter({ hasText: project?.secret ?? "none" })
      .waitFor()

    await page.reload()
    await page.getByRole("heading", { name: "Acme Shop", level: 1 }).waitFor()
  }))

test("the set-up link works on a server without accounts, and its token is removed from the URL", () =>
  visitServer({ path: "/app/verify?token=nonsense", allowed: /40[01]/ }, async ({ page, server }) => {
    await page.getByRole("button", { name: "Confirm" }).click()
    await page.getByRole("heading", { name: "Not confirmed" }).waitFor()
    expect(page.url()).toBe(`${server.url}/app/verify`)
    const link = await server.app.accounts.setupLink()
    await page.goto(new URL(link ?? "").href)
    await page.getByRole("heading", { name: "Welcome to your mail server" }).waitFor()
    expect(page.url()).toBe(`${server.url}/app/setup`)
    await field(page, "Email").fill("owner@acme.test")
    await field(page, "Password").fill(password)
    await page.getByRole("button", { name: "Create account" }).click()
    await field(page, "Name").waitFor()
    await page.goto(`${server.url}/app/setup?token=old`)
    await page.getByRole("heading", { name: "This server is set up" }).waitFor()
  }))

test("a user signs in on the current URL, and a shared link opens the same page for each member", () =>
  visitServer({ path: null }, async ({ page, server }) => {
    const owner = await server.signUp("owner@acme.test")
    const project = await owner.createProject("Acme")
    await owner.createProject("Other")
    await page.goto(`${server.url}/app/p/${project.id}/contacts?search=ada`)
    await page.getByRole("heading", { name: "Sign in" }).waitFor()
    await signIn(page, "owner@acme.test", "wrong")
    await page.getByText("The address or the password is wrong.").waitFor()
    await signIn(page, "owner@acme.test")
    await page.getByRole("heading", { name: "Contacts", level: 1 }).waitFor()
    expect(page.url()).toBe(`${server.url}/app/p/${project.id}/contacts?search=ada`)

    // an old URL without its project opens the last used project
    await page.goto(`${server.url}/app/templates?sort=name`)
    await page.getByRole("heading", { name: "Templates", level: 1 }).waitFor()
    await page.waitForURL(`${server.url}/app/p/${project.id}/templates?sort=name`, { waitUntil: "commit" })

    await page.getByRole("button", { name: "Signed in as owner@acme.test" }).click()
    await page.getByRole("menuitem", { name: "Sign out" }).click()
    await page.getByRole("heading", { name: "Sign in" }).waitFor()
    const { id } = project
    await server.signUp("stranger@acme.test").then((stranger) => stranger.createProject("Theirs"))
    await page.goto(`${server.url}/app/p/${id}/contacts`)
    await signIn(page, "stranger@acme.test")
    await page.getByRole("heading", { name: "This project is not open to you" }).waitFor()
    await page.getByRole("link", { name: "Go to Theirs" }).click()
    await page.getByRole("heading", { name: "Theirs", level: 1 }).waitFor()
  }))

async function signInAgain(page: Page): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Your session has ended" })
  await dialog.getByLabel("Password", { exact: true }).fill(password)
  await page.keyboard.press("Enter")
  await dialog.waitFor({ state: "detached" })
}

test("when a session ends, the user signs in over the page and keeps what was typed", () =>
  visitServer({ path: null, allowed: /40[14]/ }, async ({ page, server }) => {
    const owner = await server.signUp("owner@acme.test")
    await owner.createProject("Acme")
    await page.goto(`${server.url}/app/settings`)
    await signIn(page, "owner@acme.test")
    await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor()
    await field(page, "Name").fill("Acme Stores")
    await page.context().clearCookies()
    await page.getByRole("button", { name: "Save" }).click()
    await signInAgain(page)
    expect(await field(page, "Name").inputValue()).toBe("Acme Stores")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByRole("button", { name: "Project Acme Stores, switch" }).waitFor()
  }))

test("a session that ends before the password is changed is told from a wrong password", () =>
  visitServer({ path: null }, async ({ page, server }) => {
    const owner = await server.signUp("owner@acme.test")
    await owner.createProject("Acme")
    await signInAt(page, server, "owner@acme.test", "/app/account")
    await field(page, "Present password").fill(password)
    await field(page, "New password").fill("another horse battery")
    await page.context().clearCookies()
    await page.getByRole("button", { name: "Change the password" }).click()
    await signInAgain(page)
    expect(await field(page, "New password").inputValue()).toBe("another horse battery")
    await page.getByRole("button", { name: "Change the password" }).click()
    await page.getByText("Your new password is set").waitFor()
  }))

test("nothing is asked for behind the dialog, before somebody has signed in again", () =>
  visitServer({ path: null, alone: true }, async ({ page, server }) => {
    const owner = await server.signUp("owner@acme.test")
    await owner.createProject("Acme")
    const underWay = new Set<Request>()
    page.on("request", (request) => underWay.add(request))
    page.on("response", (response) => underWay.delete(response.request()))
    page.on("requestfailed", (request) => underWay.delete(request))
    await page.clock.install()
    await page.goto(`${server.url}/app/home`)
    await signIn(page, "owner@acme.test")
    await page.getByRole("heading", { name: "Acme", level: 1 }).waitFor()
    const { data: sessions } = (await owner.call("GET", "/auth/sessions")) as {
      data: { id: string; current: boolean }[]
    }
    for (const { id } of sessions.filter(({ current }) => !current)) await owner.call("DELETE", `/auth/sessions/${id}`)
    // Something that is polled meets the end of the session.
    await page.clock.runFor(60_000)
    const dialog = page.getByRole("dialog", { name: "Your session has ended" })
    await dialog.waitFor()
    // a minute of the page, and an answer of the server; what it asks for meanwhile
    const pass = async () => {
      const asked: string[] = []
      const note = (request: Request) => asked.push(new URL(request.url()).pathname)
      page.on("request", note)
      await page.clock.runFor(60_000)
      await page.evaluate(() => fetch("/config"))
      page.off("request", note)
      return asked
    }
    // what was under way comes to its end first, and each refusal is followed by two more requests
    let isQuiet = false
    for (let passes = 0; !isQuiet; passes++) {
      expect(passes).toBeLessThan(20)
      const mayGoOn = underWay.size > 0
      const asked = await pass()
      isQuiet = !mayGoOn && asked.join() === "/config"
    }
    expect(await page.getByText("Not connected to the server.").count()).toBe(0)
    await dialog.getByLabel("Password", { exact: true }).fill(password)
    const heard = page.waitForRequest((request) => new URL(request.url()).pathname.startsWith("/app/live/"))
    await page.keyboard.press("Enter")
    await heard
  }))

test("whoever is signed in is led from the page for new accounts to the dashboard", () =>
  visitServer({ path: null }, async ({ page, server }) => {
    const owner = await server.signUp("owner@acme.test")
    await owner.createProject("Acme")
    await signInAt(page, server, "owner@acme.test", "/app/home")
    await page.goto(`${server.url}/app/sign-up`)
    await page.getByRole("heading", { name: "Acme", level: 1 }).waitFor()
  }))

test("after too many attempts the remaining time is shown and counted down", () =>
  visitServer({ path: "/app/sign-up", allowed: /401|429/ }, async ({ page, server }) => {
    await server.signUp("owner@acme.test")
    const fails = () =>
      page.evaluate(async () => {
        const body = JSON.stringify({ email: "owner@acme.test", password: "wrong" })
        const headers = { "Content-Type": "application/json" }
        return (await fetch("/auth/login", { method: "POST", headers, body })).status
      })
    for (let attempt = 0; attempt < 10; attempt++) expect(await fails()).toBe(401)
    await page.goto(`${server.url}/app`)
    await signIn(page, "owner@acme.test")
    const said = page.getByRole("alert").filter({ hasText: /Too many attempts\. Try again in 14 min \d+ s\./ })
    await said.waitFor()
    expect(await page.getByRole("button", { name: "Sign in" }).isDisabled()).toBe(true)
    const first = await said.textContent()
    await page.waitForFunction((text) => document.querySelector("[role=alert]")?.textContent !== text, first)
  }))

test("the link for a forgotten password sets a new one, once", () =>
  visitServer({ path: null, allowed: /40[01]/ }, async ({ page, server }) => {
    const owner = await server.signUp("owner@acme.test")
    await owner.createProject("Acme")
    await page.goto(`${server.url}/app`)
    await page.getByRole("link", { name: "Forgot your password?" }).click()
    await field(page, "Email").fill("owner@acme.test")
    await page.getByRole("button", { name: "Send the link" }).click()
    await page.getByRole("heading", { name: "Look into your mail" }).waitFor()
    const link = await server.link("reset")
    await page.goto(link)
    await field(page, "New password").fill("quiet lamp seven rivers")
    await page.getByRole("button", { name: "Set the password" }).click()
    await page.getByRole("link", { name: "Sign in" }).click()
    await signIn(page, "owner@acme.test", "quiet lamp seven rivers")
    await page.getByRole("heading", { name: "Acme", level: 1 }).waitFor()
    await page.goto(link)
    await field(page, "New password").fill("another lamp seven rivers")
    await page.getByRole("button", { name: "Set the password" }).click()
    await page.getByRole("heading", { name: "This link does not work any more" }).waitFor()
  }))
