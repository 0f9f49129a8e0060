import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { pathOf, visit, withBrowser } from "./harness.ts"
import { filter, withPeople } from "./segments-seed.ts"

withBrowser()

const path = "/app/segments"
const names = (page: Page) => page.locator("[data-row]").allTextContents()
const row = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name })

test("the page without segments explains them, and how to create one by API", () =>
  visit({ path }, async ({ page, server }) => {
    await page.getByRole("heading", { name: "Who belongs together?" }).waitFor()
    const command = (await page.getByRole("region", { name: "curl command" }).textContent()) ?? ""
    expect(command).toContain(`${server.url}/segments`)
    const body = JSON.parse(/-d '(.*)'/s.exec(command)?.[1] ?? "")
    const headers = { Authorization: `Bearer ${server.projects[0]?.secret}`, "Content-Type": "application/json" }
    const answer = await fetch(`${server.url}/segments`, { method: "POST", headers, body: JSON.stringify(body) })
    expect(answer.status).toBe(201)
    await page.keyboard.press("r")
    await page.getByRole("link", { name: "Opened lately" }).waitFor()
    await page.getByText("is subscribed and opened an email in the last 30 days").waitFor()
  }))

test("the list shows the condition, kind, tracking and size of each segment", () =>
  withPeople({}, async ({ page, server, calls }) => {
    const vips = await calls.segment({ name: "VIPs", trackMembership: true }, filter("data.vip", "equals", true))
    await calls.segment({ name: "Others" }, filter(`segment.${vips.id}`, "notMemberOfSegment"))
    await calls.segment({ name: "Press", type: "STATIC", description: "For announcements" })
    await page.goto(server.url + path)
    await page.getByText("3 segments").waitFor()
    expect(await row(page, "Others").textContent()).toMatch(/^Othersnot in VIPsConditions3\d/)
    expect(await row(page, "vip is yes").textContent()).toMatch(/^VIPsvip is yesConditionsTracked1\d/)
    expect(await row(page, "Press").textContent()).toMatch(/^PressFor announcementsList0\d/)
  }))

test("search, kind and order filter and sort the list, and are in the URL", () =>
  withPeople({}, async ({ page, server, calls }) => {
    await calls.segment({ name: "Alpha" }, filter("data.plan", "equals", "pro"))
    await calls.segment({ name: "Gamma" }, filter("data.plan", "exists"))
    await calls.segment({ name: "Beta", type: "STATIC", description: "alphabet" })
    await page.goto(server.url + path)
    await page.getByText("3 segments").waitFor()
    await page.getByRole("button", { name: "Members" }).click()
    expect(await names(page)).toEqual(["Gamma", "Alpha", "Beta"])
    await page.keyboard.press("/")
    await page.keyboard.type("alpha")
    await page.getByText("2 found").waitFor()
    await page.getByLabel("Kind").selectOption("STATIC")
    await page.getByText("1 found").waitFor()
    await page.reload()
    await page.getByText("1 found").waitFor()
    expect(await names(page)).toEqual(["Beta"])
    expect(new URL(page.url()).search).toBe("?search=alpha&type=STATIC&sort=memberCount")
    await page.getByLabel("Search segments").fill("nothing")
    await page.getByRole("button", { name: "Show all segments" }).click()
    await page.getByText("3 segments").waitFor()
  }))

test("a segment is reached by key, and a new one from the palette", () =>
  withPeople({}, async ({ page, server, calls }) => {
    await calls.segment({ name: "Alpha" }, filter("data.plan", "exists"))
    await calls.segment({ name: "Beta" }, filter("data.plan", "exists"))
    await page.goto(`${server.url + path}?sort=name&dir=asc`)
    await page.getByText("2 segments").waitFor()
    await page.keyboard.press("j")
    await page.keyboard.press("j")
    await page.keyboard.press("o")
    await page.waitForFunction(() => document.title === "Beta · Mailstead")
    await page.goBack()
    await page.getByText("2 segments").waitFor()
    await page.keyboard.press("Control+k")
    await page.getByRole("combobox", { name: "Command" }).fill("new segment")
    await page.keyboard.press("Enter")
    await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Name")
    expect(pathOf(page)).toBe("/app/segments/new")
  }))

test("a segment with conditions is duplicated, and counted again", () =>
  withPeople({}, async ({ page, server, calls }) => {
    await calls.segment({ name: "Pros", description: "Pay" }, filter("data.plan", "equals", "pro"))
    await page.goto(server.url + path)
    await page.getByRole("button", { name: "Actions for Pros" }).click()
    await calls.post("/contacts", { email: "dy@acme.test", data: { plan: "pro" } })
    await page.getByRole("menuitem", { name: "Count again" }).click()
    await page.getByText("3 members now").waitFor()
    await row(page, "Pros").getByRole("cell", { name: "3", exact: true }).waitFor()
    await page.getByRole("button", { name: "Actions for Pros" }).click()
    await page.getByRole("menuitem", { name: "Duplicate" }).click()
    await page.waitForFunction(() => document.title === "Pros (Copy) · Mailstead")
    const [copy, original] = await calls.segments()
    expect(copy).toMatchObject({ name: "Pros (Copy)", description: "Pay", condition: original?.condition })
  }))

test("the name of a copy that would be too long is not cut within an emoji", () =>
  withPeople({}, async ({ page, server, calls }) => {
    const stem = "a".repeat(92)
    await calls.segment({ name: `${stem}🎉🎈` }, filter("data.plan", "equals", "pro"))
    await page.goto(server.url + path)
    await page.getByRole("button", { name: /^Actions for / }).click()
    await page.getByRole("menuitem", { name: "Duplicate" }).click()
    await page.waitForFunction(() => document.title.endsWith("(Copy) · Mailstead"))
    expect((await calls.segments()).map(({ name }) => name)).toContain(`${stem}🎉 (Copy)`)
  }))

test("before a segment is deleted the workflows that its events start are named", () =>
  withPeople({}, async ({ page, server, calls }) => {
    const condition = filter("data.vip", "equals", true)
    await calls.segment({ name: "VIPs", trackMembership: true }, condition)
    await calls.post("/workflows", { name: "Welcome", eventName: "segment.vips.entry" })
    await page.goto(server.url + path)
    await page.getByRole("button", { name: "Actions for VIPs" }).click()
    await page.getByRole("menuitem", { name: "Delete" }).click()
    const dialog = page.getByRole("dialog", { name: "Delete this segment?" })
    await dialog.getByText("Its events will no longer reach the workflow “Welcome”.").waitFor()
  }))

test("before a segment is deleted the segments that use it are named", () =>
  withPeople({ allowed: /400/ }, async ({ page, server, calls }) => {
    const vips = await calls.segment({ name: "VIPs" }, filter("data.vip", "equals", true))
    await calls.segment({ name: "Others" }, filter(`segment.${vips.id}`, "notMemberOfSegment"))
    await page.goto(server.url + path)
    await page.getByRole("button", { name: "Actions for VIPs" }).click()
    await page.getByRole("menuitem", { name: "Delete" }).click()
    const dialog = page.getByRole("dialog", { name: "Delete this segment?" })
    await dialog.getByText("It is named by the segment “Others”, which will match nobody there.").waitFor()
    await dialog.getByRole("button", { name: "Delete" }).click()
    await page.getByText("1 segment", { exact: true }).waitFor()
    await page.getByText("not in a deleted segment").waitFor()
    await page.getByRole("link", { name: "Others" }).click()
    await page.getByText("This segment was deleted: nobody matches.").waitFor()
  }))

test("a segment of a campaign is not deleted, and the dialog links to the campaign", () =>
  withPeople({}, async ({ page, server, calls }) => {
    const vips = await calls.segment({ name: "VIPs" }, filter("data.vip", "equals", true))
    const mail = { name: "June news", subject: "Hi", body: "<p>Hi</p>", from: "hello@shop.test" }
    await calls.post("/campaigns", { ...mail, audienceType: "SEGMENT", segmentId: vips.id })
    await page.goto(`${server.url + path}/${vips.id}`)
    await page.getByRole("button", { name: "Segment actions" }).click()
    await page.getByRole("menuitem", { name: "Delete" }).click()
    const dialog = page.getByRole("dialog", { name: "This segment is in use" })
    await dialog.getByText("VIPs cannot be deleted yet: this campaign still needs it.").waitFor()
    expect(await dialog.getByRole("button").allTextContents()).toEqual(["", "Close"])
    await dialog.getByRole("link", { name: "June news" }).click()
    await page.getByLabel("Subject").waitFor()
    await dialog.waitFor({ state: "detached" })
    expect(await calls.segments()).toHaveLength(1)
  }))
