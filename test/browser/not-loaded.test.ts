import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { callsTo } from "./calls.ts"
import { loaded, moveTo, visit, visitServer, withBrowser } from "./harness.ts"
import { updateServer } from "./server-update.ts"
import { signInAt } from "./sign-in.ts"
import { addWelcome } from "./workflows-seed.ts"

withBrowser()

const allowed = /404|dynamically imported module/
const files = "**/app/assets/*"

/** An updated server has other files, and answers 404 for those of an open page; so it is for one that does not answer. */
const withoutFiles = (page: Page) =>
  page.route(files, (route) => route.fulfill({ status: 404, contentType: "application/json", body: "{}" }))

const notice = (page: Page) => page.getByRole("alert").filter({ hasText: "was not loaded" })

test("a page whose dialogs are gone with an update of the server stays, and offers to be reloaded", () =>
  visit({ path: null, allowed }, async ({ page, server }) => {
    await callsTo(server).addTemplate({ name: "Receipt" })
    await page.goto(`${server.url}/app/templates`)
    await loaded(page)
    await withoutFiles(page)
    const add = page.getByRole("button", { name: "New template" })
    await add.click()
    await notice(page).getByRole("button", { name: "Reload" }).waitFor()
    for (const key of ["?", "Control+k"]) await page.keyboard.press(key)
    await page.getByRole("heading", { name: "Templates", level: 1 }).waitFor()
    await page.unroute(files)
    await notice(page).getByRole("button", { name: "Reload" }).click()
    await notice(page).waitFor({ state: "detached" })
    await add.click()
    await page.getByRole("dialog", { name: "New template" }).waitFor()
  }))

test("what could not be loaded is loaded when it is asked for again", () =>
  visit({ path: null, allowed, viewport: { width: 390, height: 844 } }, async ({ page, server }) => {
    await callsTo(server).addContacts(1)
    await page.goto(`${server.url}/app/contacts`)
    await loaded(page)
    await withoutFiles(page)
    const menu = page.getByRole("button", { name: "Open navigation" })
    const add = page.getByRole("button", { name: "Add", exact: true })
    for (const button of [menu, add]) {
      await button.click()
      await notice(page).waitFor()
    }
    await page.unroute(files)
    await menu.click()
    await page.getByRole("dialog", { name: "Navigation" }).waitFor()
    await notice(page).waitFor({ state: "detached" })
    await page.keyboard.press("Escape")
    await add.click()
    await page.getByRole("dialog", { name: "Add a contact" }).waitFor()
    expect(await page.getByRole("dialog").count()).toBe(1)
    await notice(page).waitFor({ state: "detached" })
  }))

test("unsaved changes stay when a part of their page cannot be loaded, and are not left without a question", () =>
  visit({ path: null, allowed }, async ({ page, server }) => {
    const { id } = await callsTo(server).addTemplate({ name: "Receipt" })
    await page.goto(`${server.url}/app/templates/${id}`)
    await loaded(page)
    await withoutFiles(page)
    const subject = page.getByLabel("Subject")
    await subject.fill("Not saved")
    await page.getByRole("link", { name: "Contacts" }).click()
    await notice(page).waitFor()
    await page.keyboard.press("Control+k")
    expect(await subject.inputValue()).toBe("Not saved")
    await page.keyboard.press("Control+s")
    await page.getByText(/^Saved/).waitFor()
  }))

test("that the server was updated is said until the page is reloaded, in each project", () =>
  visit({ path: "/app/templates", projects: 2, allowed: /ERR_FAILED/ }, async ({ page, server }) => {
    await loaded(page)
    await updateServer(page)
    const updated = page.getByRole("alert").filter({ hasText: "The server was updated." })
    await updated.waitFor()
    await moveTo(page, `/app/p/${server.projects[1]?.id}/contacts`)
    await page.getByRole("button", { name: `Project ${server.projects[1]?.name}, switch` }).waitFor()
    await updated.waitFor()
  }))

test("a workflow stays when its simulation cannot be loaded", () =>
  visit({ path: null, allowed }, async ({ page, server }) => {
    const { path } = await addWelcome(server)
    await page.goto(server.url + path)
    await loaded(page)
    await withoutFiles(page)
    await page.getByRole("button", { name: "Simulate" }).click()
    await notice(page).waitFor()
    await page.getByRole("button", { name: /^Trigger/ }).waitFor()
  }))

test("unsaved changes stay when the session has ended and the form to sign in again cannot be loaded", () =>
  visitServer({ path: null, allowed: /40[14]|dynamically imported module/ }, async ({ page, server }) => {
    const owner = await server.signUp("owner@acme.test")
    const { id } = await owner.createProject("Acme")
    await signInAt(page, server, "owner@acme.test", `/app/p/${id}/settings`)
    const address = page.getByLabel("Postal address")
    await address.fill("1 Main Street")
    await withoutFiles(page)
    await page.context().clearCookies()
    await page.getByRole("button", { name: "Save" }).click()
    await notice(page).waitFor()
    expect(await address.inputValue()).toBe("1 Main Street")
  }))
