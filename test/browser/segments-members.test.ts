import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { withBrowser } from "./harness.ts"
import { filter, withPeople } from "./segments-seed.ts"

withBrowser()

const path = "/app/segments"
const emails = (page: Page) => page.locator("[data-member]").allTextContents()
const area = (page: Page) => page.getByRole("textbox", { name: "Addresses" })
const outcome = (page: Page) => page.getByRole("status").filter({ hasText: "On the list" })

test("a list is created, filled by pasting, and missing contacts are created on request", () =>
  withPeople({}, async ({ page, server, calls }) => {
    await page.goto(`${server.url + path}/new`)
    await page.getByRole("radio", { name: "A fixed list" }).press("Space")
    await page.getByLabel("Name").fill("Press")
    await page.getByRole("button", { name: "Create" }).click()
    await page.getByRole("heading", { name: "Who is on this list?" }).waitFor()
    const [made] = await calls.segments()
    expect(made).toMatchObject({ name: "Press", type: "STATIC", condition: null })

    await area(page).fill("ada@acme.test\nBo <bo@acme.test>, ADA@acme.test; new@press.test\nno address")
    await page.getByText("3 addresses, 1 more than once").waitFor()
    await page.getByText("Left out, for they look like no address: no address").waitFor()
    // a click elsewhere does not lose them, also when the note was changed and saved meanwhile
    await page.getByLabel("Note").fill("From the trade fair")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByText("Saved just now").waitFor()
    await page.getByRole("link", { name: "Templates" }).click()
    await page.getByRole("dialog").getByText("Leave without saving?").waitFor()
    await page.getByRole("button", { name: "Stay" }).click()
    await page.getByRole("button", { name: "Add 3 addresses" }).click()
    await outcome(page).getByText("There is no contact with these addresses").waitFor()
    expect(await page.getByLabel("Not found").inputValue()).toBe("new@press.test")
    await page.getByRole("button", { name: "Create and add it" }).click()
    await page.getByLabel("Not found").waitFor({ state: "detached" })
    expect(await outcome(page).locator("dd").allTextContents()).toEqual(["3", "1", "0"])
    await page.getByRole("button", { name: "Done" }).click()
    await page.getByRole("link", { name: "new@press.test" }).waitFor()
    expect((await emails(page)).sort()).toEqual(["ada@acme.test", "bo@acme.test", "new@press.test"])
    expect(await calls.contact("new@press.test")).toMatchObject({ subscribed: true })

    await page.getByRole("button", { name: "Add people" }).click()
    await area(page).fill("other@press.test")
    await page.getByRole("switch", { name: "Create contacts that are missing" }).press("Space")
    await page.getByRole("switch", { name: "Subscribe them" }).press("Space")
    await page.getByRole("button", { name: "Add 1 address" }).click()
    await outcome(page).waitFor()
    await page.getByRole("button", { name: "Done" }).click()
    await page.getByRole("link", { name: "other@press.test" }).waitFor()
    expect(await calls.contact("other@press.test")).toMatchObject({ subscribed: false })
  }))

test("more addresses than one request allows are added in chunks; what is left when one fails needs no second paste", () =>
  withPeople({ allowed: /500/ }, async ({ page, server, calls }) => {
    const { id } = await calls.segment({ name: "Press", type: "STATIC" })
    const requests: number[] = []
    await page.route("**/segments/*/members", async (route) => {
      const isSecond = requests.push(route.request().postDataJSON().emails.length) === 2
      await (isSecond ? route.fulfill({ status: 500, body: "{}" }) : route.continue())
    })
    await page.goto(`${server.url + path}/${id}`)
    const many = Array.from({ length: 1001 }, (_, number) => `p${number}@press.test`)
    await area(page).fill([...many, "ada@acme.test"].join("\n"))
    await page.getByRole("button", { name: "Add 1,002 addresses" }).click()
    await page.getByText("The rest was not added").waitFor()
    await page.getByRole("button", { name: "Add the other 2 addresses" }).click()
    await outcome(page).getByText("1,001").waitFor()
    expect(requests).toEqual([1000, 2, 2])
    expect((await calls.get(`/segments/${id}`)).memberCount).toBe(1)
    expect(await page.getByLabel("Not found").inputValue()).toBe(many.join("\n"))
  }))

test("members are removed from a list, one or several, and stay contacts", () =>
  withPeople({}, async ({ page, server, calls }) => {
    const { id } = await calls.segment({ name: "Press", type: "STATIC", trackMembership: true })
    await calls.post(`/segments/${id}/members`, { emails: ["ada@acme.test", "bo@acme.test", "cy@beta.test"] })
    await page.goto(`${server.url + path}/${id}`)
    await page.getByText("3 members").waitFor()
    await page.getByRole("button", { name: "Remove bo@acme.test" }).click()
    const dialog = page.getByRole("dialog", { name: "Remove from the list?" })
    await dialog.getByRole("button", { name: "Remove" }).click()
    await page.getByText("2 members").waitFor()
    await page.getByRole("checkbox", { name: "Select all on this page" }).press("Space")
    await page.getByRole("button", { name: "Remove 2" }).click()
    await dialog.getByText("2 contacts will no longer be in Press.").waitFor()
    await dialog.getByRole("button", { name: "Remove" }).click()
    await page.getByText("Nobody is on this list yet.").waitFor()
    expect(await calls.contact("bo@acme.test")).toMatchObject({ subscribed: false, data: { plan: "free" } })
    expect((await calls.get("/events?eventName=segment.press.exit")).total).toBe(3)
  }))

test("what is ticked on one page of a list is not removed from another, after a step back either", () =>
  withPeople({}, async ({ page, server, calls }) => {
    await calls.addContacts(51)
    const { id } = await calls.segment({ name: "Press", type: "STATIC" })
    const numbers = Array.from({ length: 51 }, (_, index) => String(index + 1).padStart(3, "0"))
    await calls.post(`/segments/${id}/members`, { emails: numbers.map((number) => `p${number}@example.com`) })
    await page.goto(`${server.url + path}/${id}`)
    await page.getByRole("button", { name: "Next page" }).click()
    await page.getByText("51 to 51 of 51").waitFor()
    await page.getByRole("checkbox", { name: "Select all on this page" }).press("Space")
    await page.getByRole("button", { name: "Remove 1", exact: true }).waitFor()
    await page.goBack()
    await page.getByText("1 to 50 of 51").waitFor()
    expect(await page.getByRole("button", { name: "Remove 1", exact: true }).count()).toBe(0)
    expect(await page.locator("[data-chosen], :indeterminate").count()).toBe(0)
  }))

test("members by conditions are shown page by page, and link to the contact", () =>
  withPeople({}, async ({ page, server, calls }) => {
    await calls.addContacts(52)
    const { id } = await calls.segment({ name: "All" }, filter("email", "contains", "example.com"))
    await page.goto(`${server.url + path}/${id}`)
    await page.getByRole("button", { name: "See all 52" }).click()
    await page.getByText("1 to 50 of 52").waitFor()
    expect((await emails(page))[0]).toBe("p052@example.com")
    await page.getByRole("button", { name: "Next page" }).click()
    await page.getByText("51 to 52 of 52").waitFor()
    expect(await emails(page)).toEqual(["p002@example.com", "p001@example.com"])
    await page.getByRole("link", { name: "p001@example.com" }).click()
    await page.getByRole("heading", { name: "p001@example.com" }).waitFor()
    await page.goBack()
    await page.getByText("51 to 52 of 52").waitFor()
    await page.keyboard.press("[")
    await page.getByText("1 to 50 of 52").waitFor()
  }))

test("the membership of a tracked segment is computed from its members page, and the number is updated", () =>
  withPeople({}, async ({ page, server, calls }) => {
    const { id } = await calls.segment({ name: "Pros", trackMembership: true }, filter("data.plan", "equals", "pro"))
    await calls.post(`/segments/${id}/compute`, {})
    await page.goto(`${server.url + path}/${id}`)
    await page.getByRole("tab", { name: "Members" }).click()
    await page.getByText("2 members").waitFor()
    await page.getByRole("button", { name: "Compute now" }).click()
    await page.getByText("0 joined, 0 left: 2 members now").waitFor()
  }))
