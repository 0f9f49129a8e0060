import { expect, test } from "bun:test"
import { callsTo } from "./calls.ts"
import { pathOf, visit, withBrowser } from "./harness.ts"
import { body, hasFocus, isSaved, paper, withTemplate, write } from "./templates-seed.ts"

withBrowser()

test("all fields of a template are edited and saved, by button and by key", () =>
  withTemplate({ name: "Receipt" }, async (page, { get, id }) => {
    await page.getByLabel("Name", { exact: true }).fill("Invoice")
    await page.getByLabel("Sender name").fill("Acme")
    await page.getByLabel("From", { exact: true }).fill("Bills@Shop.test")
    await page.getByLabel("Reply to").fill("help@shop.test")
    await page.getByLabel("Note").fill("For accounting")
    await page.getByLabel("Subject").fill("Your invoice")
    await page.getByRole("button", { name: "Type: Transactional" }).click()
    await page.getByRole("menuitemradio", { name: /Headless/ }).click()
    await write(page, "<h1>Invoice</h1>")
    await page.getByText("Not saved").waitFor()
    await page.getByRole("button", { name: "Save" }).click()
    await isSaved(page)
    expect(await get(`/templates/${id}`)).toMatchObject({
      name: "Invoice",
      fromName: "Acme",
      from: "bills@shop.test",
      replyTo: "help@shop.test",
      description: "For accounting",
      subject: "Your invoice",
      type: "HEADLESS",
      body: "<h1>Invoice</h1>",
    })
    await page.getByLabel("Note").fill("")
    await page.getByLabel("Reply to").fill("")
    await body(page).press("Control+s")
    await isSaved(page)
    expect(await get(`/templates/${id}`)).toMatchObject({ description: null, replyTo: null })
    expect(await page.getByRole("button", { name: "Save" }).isDisabled()).toBe(true)
  }))

test("faults found by the server are shown at their field, and nothing is lost", () =>
  withTemplate(
    {},
    async (page, { get, id }) => {
      await page.getByLabel("From", { exact: true }).fill("nobody")
      await page.getByLabel("Subject").fill("")
      await page.getByRole("button", { name: "Save" }).click()
      await page.getByText("This is not an email address.").waitFor()
      await page.getByText("A mail needs a subject.").waitFor()
      expect((await get(`/templates/${id}`)).from).toBe("hello@shop.test")
      await page.getByLabel("From", { exact: true }).fill("a@shop.test")
      await page.getByText("This is not an email address.").waitFor({ state: "detached" })
      expect(await page.getByText("A mail needs a subject.").count()).toBe(1)
    },
    { allowed: /422/ },
  ))

test("a syntax fault is shown with line and column, and links to the position", () =>
  withTemplate(
    { body: "<p>Fine</p>" },
    async (page, { get, id }) => {
      await paper(page).getByText("Fine").waitFor()
      await write(page, "<p>One</p>\n<p>{{#if plan}}Two</p>")
      const fault = page.getByRole("button", { name: "Line 2, column 4" })
      await fault.waitFor()
      expect(await page.locator(".cm-lintRange-error").textContent()).toBe("{{#if plan}}")
      await paper(page).getByText("Fine").waitFor()
      await fault.click()
      await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Body")
      await page.keyboard.type("X")
      expect(await page.locator(".cm-line").nth(1).textContent()).toStartWith("<p>X{{#if")
      await write(page, "<p>Mended</p>")
      await paper(page).getByText("Mended").waitFor()
      expect(await page.locator(".cm-lintRange-error").count()).toBe(0)

      await page.getByLabel("Subject").fill("Hello {{name")
      await page.getByText(/^Column 7: /).waitFor()
      await page.getByRole("button", { name: "Save" }).click()
      await page.getByText("Not saved").waitFor()
      expect((await get(`/templates/${id}`)).body).toBe("<p>Fine</p>")
    },
    { allowed: /422/ },
  ))

test("variables are listed, those without a value marked, and inserted at the cursor", () =>
  withTemplate({ subject: "Hi", body: "<p>{{firstName ?? you}} {{plan}} {{city}}</p>" }, async (page, { post }) => {
    await post("/contacts", { email: "ada@example.com", data: { city: "Oslo", "first name": "Ada", lower: 1 } })
    await page.reload()
    await page.getByRole("tab", { name: "Variables 1 without a value" }).click()
    const used = page.getByRole("list", { name: "Used here" }).getByRole("listitem")
    await used.first().waitFor()
    expect(await used.allTextContents()).toEqual([
      "firstNameno value here, its fallback stands in",
      "planno value here",
      "city",
    ])
    await body(page).click()
    await page.keyboard.press("Control+End")
    await page.getByLabel("Find a variable").fill("first")
    await page.getByRole("button", { name: "Insert [first name]" }).click()
    expect(await page.locator(".cm-line").first().textContent()).toEndWith("</p>{{[first name]}}")
    await page.getByLabel("Subject").focus()
    await page.keyboard.press("End")
    await page.getByLabel("Find a variable").fill("lower")
    await page.getByRole("button", { name: "Insert data.lower" }).click()
    expect(await page.getByLabel("Subject").inputValue()).toBe("Hi{{data.lower}}")
    await page.getByLabel("Plain text").fill("No. ")
    await page.getByRole("button", { name: "Insert data.lower" }).click()
    expect(await page.getByLabel("Plain text").inputValue()).toBe("No. {{data.lower}}")
    await page.getByRole("tab", { name: "Preview" }).click()
    await page.getByText("Hi1", { exact: true }).waitFor()
    await paper(page).getByText("Ada").waitFor()
  }))

test("a fallback counts only if the variable has one in every tag", () =>
  withTemplate({ subject: "Hi {{firstName ?? there}}", body: "<p>Hello {{firstName}}</p>" }, async (page) => {
    const used = page.getByRole("list", { name: "Used here" }).getByRole("listitem")
    await page.getByRole("tab", { name: "Variables 1 without a value" }).click()
    await used.first().waitFor()
    expect(await used.allTextContents()).toEqual(["firstNameno value here"])
    await write(page, "<p>{{#if firstName}}Hello {{firstName ?? friend}}{{/if}}</p>")
    await used.getByText("no value here, its fallback stands in").waitFor()
    expect(await page.getByRole("tab", { name: "Variables", exact: true }).count()).toBe(1)
  }))

test("the palette opens from the code editor, and returns the cursor", () =>
  withTemplate({}, async (page) => {
    await body(page).click()
    await page.keyboard.press("Control+k")
    await hasFocus(page, "Command")
    await page.keyboard.press("Escape")
    await hasFocus(page, "Body")
  }))

test("between braces the editor suggests contact fields, and closes the tag", () =>
  withTemplate({}, async (page, { post }) => {
    await post("/contacts", { email: "ada@example.com", data: { loyaltyTier: "gold" } })
    await page.reload()
    await body(page).waitFor()
    await write(page, "")
    await page.keyboard.type("{{loy")
    await page.getByRole("option", { name: /loyaltyTier/ }).click()
    await page.keyboard.type("!")
    await page.waitForFunction(() => document.querySelector(".cm-line")?.textContent === "{{loyaltyTier}}!")
    await paper(page).getByText("gold!").waitFor()
  }))

test("leaving unsaved changes asks first", () =>
  withTemplate({}, async (page, { url }) => {
    await page.goto(`${url}/app/templates`)
    await page.getByRole("link", { name: "Receipt" }).click()
    await page.getByLabel("Subject").fill("Changed")
    const dialog = page.getByRole("dialog", { name: "Leave without saving?" })
    for (const leave of [
      () => page.goBack(),
      () => page.getByRole("button", { name: "All templates" }).click(),
      () => page.getByRole("link", { name: "Inbox" }).click(),
    ]) {
      await leave()
      await dialog.getByRole("button", { name: "Stay" }).click()
      await dialog.waitFor({ state: "detached" })
      expect(await page.getByLabel("Subject").inputValue()).toBe("Changed")
    }
    await page.getByRole("button", { name: "All templates" }).click()
    await dialog.getByRole("button", { name: "Leave" }).click()
    await page.getByRole("heading", { name: "Templates", level: 1 }).waitFor()
    await page.getByRole("link", { name: "Receipt" }).click()
    expect(await page.getByLabel("Subject").inputValue()).toBe("Thank you, {{firstName ?? friend}}")
  }))

test("a template is deleted from its editor, saved or not", () =>
  withTemplate({ name: "Receipt" }, async (page, { get }) => {
    await page.getByLabel("Subject").fill("Changed")
    await page.getByRole("button", { name: "Template actions" }).click()
    await page.getByText("Never sent").waitFor()
    await page.getByRole("menuitem", { name: "Delete" }).click()
    await page.getByRole("heading", { name: "Write it once, send it often" }).waitFor()
    await page.reload()
    await page.getByRole("heading", { name: "Write it once, send it often" }).waitFor()
    expect((await get("/templates")).total).toBe(0)
  }))

test("a narrow screen shows either editor or preview, and nothing is wider than the screen", () =>
  withTemplate(
    {},
    async (page) => {
      const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect(await overflow()).toBe(0)
      await page.getByRole("radio", { name: "Preview" }).press("Space")
      await paper(page).getByText("Hello friend").waitFor()
      expect(await body(page).isVisible()).toBe(false)
      await page.getByRole("tab", { name: /Variables/ }).click()
      expect(await overflow()).toBe(0)
      await page.getByRole("button", { name: "Insert email" }).click()
      await body(page).waitFor()
      expect(await body(page).textContent()).toContain("{{email}}")
    },
    { viewport: { width: 380, height: 780 }, hasTouch: true },
  ))

test("the code editor is loaded with the first template, not before", () =>
  visit({ path: "/app/templates" }, async ({ page, server }) => {
    const scripts: string[] = []
    page.on("response", (answer) => {
      if (answer.url().endsWith(".js")) scripts.push(answer.url())
    })
    const { id } = await callsTo(server).addTemplate({})
    await page.reload()
    await page.getByRole("link", { name: "Receipt" }).waitFor()
    const before = scripts.length
    await page.getByRole("link", { name: "Receipt" }).click()
    await body(page).waitFor()
    expect(scripts.length).toBeGreaterThan(before)
    expect(scripts.every((url) => url.startsWith(`${server.url}/app/assets/`))).toBe(true)
    expect(pathOf(page)).toBe(`/app/templates/${id}`)
  }))

test("a link to a deleted template shows that it does not exist", () =>
  visit({ path: `/app/templates/${Bun.randomUUIDv7()}`, allowed: /404/ }, async ({ page }) => {
    await page.getByRole("alert").getByText("This template is not here.").waitFor()
    await page.getByRole("button", { name: "All templates" }).click()
    await page.getByRole("heading", { name: "Write it once, send it often" }).waitFor()
  }))
