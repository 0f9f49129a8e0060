import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { pathOf, withBrowser } from "./harness.ts"
import { all, chooseField, counted, filter, withPeople } from "./segments-seed.ts"

withBrowser()

const path = "/app/segments"
const rule = (page: Page, at: number) => page.locator("[data-rule]").nth(at)
const isSaved = (page: Page) => page.getByRole("status").filter({ hasText: "Saved just now" }).waitFor()
const addCondition = (page: Page) => page.getByRole("button", { name: "Condition", exact: true }).last().click()

test("a segment is built condition by condition, with the number of matching contacts", () =>
  withPeople({}, async ({ page, server, calls }) => {
    const vips = await calls.segment({ name: "VIPs" }, filter("data.vip", "exists"))
    await page.goto(`${server.url + path}/new`)
    await page.getByLabel("Name").fill("Buyers")
    await page.getByLabel("Note").fill("Worth a call")
    await page.getByRole("button", { name: "Add a condition" }).click()
    await chooseField(page, "subs", "Subscribed")
    await counted(page, 2)
    await page.getByRole("link", { name: "cy@beta.test" }).waitFor()

    await addCondition(page)
    await chooseField(page, "purch", "purchase")
    await counted(page, 1)
    await rule(page, 1).getByLabel("Operator").selectOption("triggered")

    await addCondition(page)
    await chooseField(page, "sco", "score")
    await rule(page, 2).getByLabel("Operator").selectOption("greaterThanOrEqual")
    await rule(page, 2).getByLabel("Value", { exact: true }).fill("10")

    await addCondition(page)
    await chooseField(page, "opened", "Opened an email")
    await rule(page, 3).getByLabel("Operator").selectOption("notTriggeredWithin")
    await rule(page, 3).getByLabel("How many").fill("2")
    await rule(page, 3).getByLabel("Unit").selectOption("hours")

    await addCondition(page)
    await chooseField(page, "vips", "VIPs")
    await rule(page, 4).getByLabel("Operator").selectOption("notMemberOfSegment")

    await addCondition(page)
    await chooseField(page, "email a", "Email address")
    await rule(page, 5).getByLabel("Value").fill("beta")

    await addCondition(page)
    await chooseField(page, "created", "Created")
    await rule(page, 6).getByLabel("Operator").selectOption("greaterThan")
    await rule(page, 6).getByLabel("Value").fill("2026-01-31")
    await rule(page, 6).getByRole("button", { name: "With a time" }).click()
    await rule(page, 6).getByLabel("Value in UTC").fill("2026-01-31T12:30")
    await counted(page, 1)

    await page.getByRole("switch", { name: "Track who joins and leaves" }).press("Space")
    await page.getByText("segment.buyers.entry").waitFor()
    await page.getByRole("button", { name: "Create segment" }).click()
    await isSaved(page)
    const [made] = await calls.segments()
    expect(pathOf(page)).toBe(`${path}/${made?.id}`)
    expect(made).toMatchObject({ name: "Buyers", description: "Worth a call", trackMembership: true, type: "DYNAMIC" })
    expect(made?.condition).toEqual(
      all(
        filter("subscribed", "equals", true),
        filter("event.purchase", "triggered"),
        filter("data.score", "greaterThanOrEqual", 10),
        filter("email.opened", "notTriggeredWithin", 2, "hours"),
        filter(`segment.${vips.id}`, "notMemberOfSegment"),
        filter("email", "contains", "beta"),
        filter("createdAt", "greaterThan", "2026-01-31T12:30:00Z"),
      ),
    )
  }))

test("a condition that compares a field with now says which values it finds", () =>
  withPeople({}, async ({ page, server, calls }) => {
    const { id } = await calls.segment(
      {},
      filter("data.plan", "equals", "pro"),
      filter("data.signedUp", "within", 30, "days"),
      filter("createdAt", "within", 30, "days"),
    )
    await page.goto(`${server.url + path}/${id}`)
    const note = "Times such as 2026-07-20T09:30:00Z are found, days alone are not."
    await rule(page, 1).getByText(note).waitFor()
    expect(await page.getByText(note).count()).toBe(1)
  }))

test("alternatives are in a box, which is removed with its last condition", () =>
  withPeople({}, async ({ page, server, calls }) => {
    const { id } = await calls.segment({}, filter("subscribed", "equals", true), filter("data.plan", "equals", "pro"))
    await page.goto(`${server.url + path}/${id}`)
    await counted(page, 2)
    await rule(page, 1).getByRole("button", { name: "Condition actions" }).click()
    await page.getByRole("menuitem", { name: "Or something else…" }).click()
    await chooseField(page, "score", "score")
    await rule(page, 2).getByLabel("Value", { exact: true }).fill("10")
    const box = page.getByRole("group", { name: "Any of these" })
    expect(await box.locator("[data-rule]").count()).toBe(2)
    await page.keyboard.press("Control+s")
    await isSaved(page)
    const nested = {
      logic: "OR",
      groups: [{ filters: [filter("data.plan", "equals", "pro")] }, { filters: [filter("data.score", "equals", 10)] }],
    }
    expect((await calls.get(`/segments/${id}`)).condition).toEqual({
      logic: "AND",
      groups: [{ filters: [filter("subscribed", "equals", true)], conditions: nested }],
    })

    await page.getByLabel("Joined by").first().selectOption("OR")
    await counted(page, 3)
    await rule(page, 2).getByRole("button", { name: "Remove condition" }).click()
    await rule(page, 1).getByRole("button", { name: "Remove condition" }).click()
    await box.nth(1).waitFor({ state: "detached" })
    expect(await page.locator("[data-rule]").count()).toBe(1)
    await page.keyboard.press("Control+s")
    await isSaved(page)
    expect((await calls.get(`/segments/${id}`)).condition.groups).toEqual([
      { filters: [filter("subscribed", "equals", true)] },
    ])
  }))

test("a condition can be built by keyboard alone", () =>
  withPeople({}, async ({ page, server, calls }) => {
    const { id } = await calls.segment({}, filter("subscribed", "equals", true))
    await page.goto(`${server.url + path}/${id}`)
    await counted(page, 2)
    await page.keyboard.press("a")
    await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Find a field")
    await page.keyboard.type("plan")
    await page.keyboard.press("Enter")
    await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Value")
    await page.keyboard.type("pro")
    await page.keyboard.press("Escape")
    await page.keyboard.press("Shift+Tab")
    await page.keyboard.press("Shift+Tab")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Escape")
    await page.keyboard.press("Control+s")
    await isSaved(page)
    const { condition } = await calls.get(`/segments/${id}`)
    expect(condition.groups[0].filters[1]).toEqual(filter("data.plan", "notEquals", "pro"))
  }))

test("the last condition, removed by keyboard, leaves the focus on the button that adds one", () =>
  withPeople({ path: `${path}/new` }, async ({ page }) => {
    await page.getByRole("button", { name: "Subscribed", exact: true }).click()
    await page.getByRole("button", { name: "Remove condition" }).press("Enter")
    await page.waitForFunction(() => document.activeElement?.textContent === "Add a condition")
  }))

test("a value has the type of its field unless another is chosen, and values of contacts are suggested", () =>
  withPeople({}, async ({ page, server, calls }) => {
    const { id } = await calls.segment({}, filter("data.plan", "equals", "free"))
    await page.goto(`${server.url + path}/${id}`)
    await counted(page, 1)
    const value = rule(page, 0).getByLabel("Value", { exact: true })
    await value.fill("")
    await page.getByRole("option", { name: "pro", exact: true }).click()
    await counted(page, 2)
    await rule(page, 0).getByRole("button", { name: "Type of the value: Text" }).click()
    await page.getByRole("menuitem", { name: "Number" }).click()
    await value.fill("7")
    await counted(page, 0)
    await page.getByText("Nobody matches today.").waitFor()
    await page.keyboard.press("Control+s")
    await isSaved(page)
    expect((await calls.get(`/segments/${id}`)).condition).toEqual(all(filter("data.plan", "equals", 7)))
  }))

test("missing parts are marked after an attempt to save, and nothing is sent", () =>
  withPeople({}, async ({ page, server, calls }) => {
    await page.goto(`${server.url + path}/new`)
    await page.getByRole("button", { name: "New this week" }).click()
    await counted(page, 3)
    await rule(page, 0).getByLabel("How many").fill("many")
    await page.getByText("One condition is not complete yet.").waitFor()
    await addCondition(page)
    await page.keyboard.press("Escape")
    await page.getByText("2 conditions are not complete yet.").waitFor()
    expect(await page.getByText("Choose what this is about.").count()).toBe(0)
    await page.getByRole("button", { name: "Create segment" }).click()
    await page.getByText("Give it a name.").waitFor()
    await page.getByText("Choose what this is about.").waitFor()
    await page.getByText("A number from 0 to 100,000.").waitFor()
    expect(await calls.segments()).toHaveLength(0)
    await rule(page, 1).getByRole("button", { name: "Remove condition" }).click()
    await rule(page, 0).getByLabel("How many").fill("3")
    await page.getByLabel("Name").fill("New")
    await page.getByText("Not complete yet").waitFor({ state: "detached" })
    await page.getByRole("button", { name: "Create segment" }).click()
    await isSaved(page)
  }))

test("faults found by the server are shown at their condition", () =>
  withPeople({ allowed: /400/ }, async ({ page, server, calls }) => {
    const vips = await calls.segment({ name: "VIPs" }, filter("data.vip", "equals", true))
    const { id } = await calls.segment({ name: "Others" }, filter(`segment.${vips.id}`, "notMemberOfSegment"))
    await page.goto(`${server.url + path}/${vips.id}`)
    await counted(page, 1)
    await addCondition(page)
    await chooseField(page, "oth", "Others")
    await page.getByRole("button", { name: "Save" }).click()
    await rule(page, 1).getByRole("alert").filter({ hasText: "depend on this one" }).waitFor()
    await rule(page, 1).getByRole("button", { name: "Remove condition" }).click()
    await page.getByRole("alert").waitFor({ state: "detached" })
    expect((await calls.get(`/segments/${vips.id}`)).condition).toEqual(all(filter("data.vip", "equals", true)))
    expect(id).not.toBe(vips.id)
  }))

test("a future event and a field inside another can be typed", () =>
  withPeople({}, async ({ page, server, calls }) => {
    const { id } = await calls.segment({}, filter("subscribed", "equals", true))
    await page.goto(`${server.url + path}/${id}`)
    await addCondition(page)
    await chooseField(page, "cancelled.trial", "Event “cancelled.trial”")
    await addCondition(page)
    await chooseField(page, "profile.tier", "Custom field “profile.tier”")
    await rule(page, 2).getByLabel("Operator").selectOption("exists")
    await counted(page, 0)
    await page.keyboard.press("Control+s")
    await isSaved(page)
    expect((await calls.get(`/segments/${id}`)).condition.groups[0].filters.slice(1)).toEqual([
      filter("event.cancelled.trial", "triggeredWithin", 30, "days"),
      filter("data.profile.tier", "exists"),
    ])
  }))

test("tracking is explained when it is switched, with its effect on present members", () =>
  withPeople({}, async ({ page, server, calls }) => {
    const { id } = await calls.segment({ name: "Pros" }, filter("data.plan", "equals", "pro"))
    await page.goto(`${server.url + path}/${id}`)
    const tracking = page.getByRole("switch", { name: "Track who joins and leaves" })
    await tracking.press("Space")
    await page.getByText("It begins empty").waitFor()
    await page.getByLabel("Name").fill("All Pros")
    await page.getByText("segment.all-pros.exit").waitFor()
    await page.getByRole("button", { name: "Save" }).click()
    await isSaved(page)
    await page.getByText("It begins empty").waitFor({ state: "detached" })
    await page.getByRole("button", { name: "Segment actions" }).click()
    await page.getByRole("menuitem", { name: "Compute membership now" }).click()
    await page.getByText("2 joined, 0 left: 2 members now").waitFor()
    const events = await calls.get("/events?eventName=segment.all-pros.entry")
    expect(events.total).toBe(2)
    await calls.post("/workflows", { name: "Welcome to Pro", eventName: "segment.all-pros.entry" })
    await page.getByLabel("Name").fill("Payers")
    await page.getByText("The events go by the new name: until now it was all-pros.").waitFor()
    const unheard = "A workflow listens to these events and will hear nothing any more: Welcome to Pro."
    await page.getByText(unheard).waitFor()
    await tracking.press("Space")
    await page.getByText("Saving this forgets who is a member, without events.").waitFor()
    await page.getByText(unheard).waitFor()
  }))

test("leaving unsaved changes asks first, and deleting the segment discards them", () =>
  withPeople({}, async ({ page, server, calls }) => {
    await calls.segment({ name: "Pros" }, filter("data.plan", "equals", "pro"))
    await page.goto(server.url + path)
    await page.getByRole("link", { name: "Pros" }).click()
    await counted(page, 2)
    await page.getByLabel("Name").fill("Professionals")
    const dialog = page.getByRole("dialog", { name: "Leave without saving?" })
    for (const leave of [
      () => page.getByRole("button", { name: "All segments" }).click(),
      // the part that was opened since stays in view
      async () => {
        await page.getByRole("tab", { name: "JSON" }).click()
        await page.goBack()
      },
    ]) {
      await leave()
      await dialog.getByRole("button", { name: "Stay" }).click()
      await dialog.waitFor({ state: "detached" })
    }
    await page.getByRole("tab", { name: "JSON", selected: true }).waitFor()
    await page.keyboard.press("Control+k")
    await page.getByRole("combobox", { name: "Command" }).fill("delete")
    await page.keyboard.press("Enter")
    await page.getByRole("dialog", { name: "Delete this segment?" }).getByRole("button", { name: "Delete" }).click()
    await page.getByRole("heading", { name: "Who belongs together?" }).waitFor()
  }))

test("a narrow screen shows everything, and nothing is wider than the screen", () =>
  withPeople({ viewport: { width: 320, height: 780 }, hasTouch: true, locale: "en-US" }, async (visited) => {
    const { page, server, calls } = visited
    const nested = {
      logic: "OR",
      groups: [
        all(filter("data.plan", "equals", "pro")).groups[0],
        { filters: [filter("event.purchase", "triggeredOlderThan", 30, "days")] },
      ],
    }
    const condition = {
      logic: "AND",
      groups: [{ filters: [filter("createdAt", "lessThan", "2026-01-31T00:00:00Z")], conditions: nested }],
    }
    const { id } = await calls.segment({ name: "A segment with a rather long name", condition })
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    await page.goto(`${server.url + path}/${id}`)
    await counted(page, 0)
    expect(await overflow()).toBe(0)
    const sides = await page
      .locator("[data-rule] *")
      .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().right))
    expect(Math.max(...sides)).toBeLessThanOrEqual(320)
    await page.getByRole("tab", { name: "Members" }).tap()
    await page.getByText("Nobody matches today.").waitFor()
    await page.getByRole("button", { name: "All segments" }).tap()
    await page.getByText("1 segment", { exact: true }).waitFor()
    expect(await overflow()).toBe(0)
    await page.goto(`${server.url + path}/new`)
    const kind = page.getByRole("radiogroup", { name: "Kind of segment" }).getByText("A fixed list")
    await kind.waitFor()
    expect(await kind.evaluate((label) => label.getBoundingClientRect().right)).toBeLessThanOrEqual(320)
  }))

test("once a field is chosen, typing enters its value", () =>
  withPeople({}, async ({ page, server }) => {
    await page.goto(`${server.url + path}/new`)
    await page.getByRole("button", { name: "Add a condition" }).click()
    await chooseField(page, "email a", "Email address")
    await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Value")
    await page.keyboard.type("beta")
    expect(await rule(page, 0).getByLabel("Value", { exact: true }).inputValue()).toBe("beta")
  }))
