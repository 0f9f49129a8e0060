import { expect, test } from "bun:test"
import { withBrowser } from "./harness.ts"
import { withTemplate, write } from "./templates-seed.ts"

withBrowser()

test("a test is sent with the content in the editor and opened in the inbox", () =>
  withTemplate(
    { fromName: "Acme" },
    async (page, { get, id }) => {
      await write(page, "<p>Not saved yet, {{firstName}}</p>")
      await page.getByRole("button", { name: /Filled for/ }).click()
      await page.getByText("JSON data", { exact: true }).click()
      await page.getByLabel("Preview data as JSON").fill('{ "firstName": "Grace" }')
      await page.keyboard.press("Escape")
      await page.getByRole("button", { name: "Send a test" }).click()
      const dialog = page.getByRole("dialog", { name: "Send a test" })
      await dialog.getByText("Filled with the JSON data of the preview.").waitFor()
      await dialog.getByLabel("To").fill("nowhere")
      await dialog.getByRole("button", { name: "Send" }).click()
      await dialog.getByText("This is not an email address.").waitFor()
      await dialog.getByLabel("To").fill("grace@example.com")
      await dialog.getByRole("button", { name: "Send" }).click()
      await page.getByRole("button", { name: "Open it in the inbox" }).click()
      await page.getByRole("dialog", { name: "Leave without saving?" }).getByRole("button", { name: "Leave" }).click()
      await page.getByRole("heading", { name: "[TEST] Thank you, Grace", level: 1 }).waitFor()
      await page.frameLocator("iframe").getByText("Not saved yet, Grace").waitFor()
      expect((await get("/contacts")).data).toEqual([])
      expect((await get(`/templates/${id}`)).body).toContain("Hello")
    },
    { allowed: /422/ },
  ))

test("a test has the data of the preview and is sent only to the typed address", () =>
  withTemplate(
    {},
    async (page, { post, get }) => {
      await post("/contacts", { email: "customer@example.com", data: { firstName: "Cleo" } })
      await page.reload()
      await page.getByRole("button", { name: "Filled for customer@example.com" }).waitFor()
      const dialog = page.getByRole("dialog", { name: "Send a test" })
      const open = () => page.getByRole("button", { name: "Send a test" }).click()
      await open()
      const to = dialog.getByLabel("To")
      await dialog.getByText("Filled with the data of customer@example.com, like the preview.").waitFor()
      expect(await to.inputValue()).toBe("")
      await to.press("Enter")
      await dialog.getByText("To which address?").waitFor()
      await to.fill("me@example.com")
      await dialog.getByRole("button", { name: "Cancel" }).click()
      await dialog.waitFor({ state: "detached" })

      await page.getByLabel("From", { exact: true }).fill("nowhere")
      await open()
      await to.fill("me@example.com")
      await to.press("Enter")
      await dialog.getByRole("alert").getByText("From: This is not an email address.").waitFor()
      await dialog.getByRole("button", { name: "Cancel" }).click()
      await dialog.waitFor({ state: "detached" })
      await page.getByLabel("From", { exact: true }).fill("hello@shop.test")
      await open()
      await to.fill("me@example.com")
      await to.press("Enter")
      await page.getByText("Test sent").waitFor()
      const mails = (await get("/emails")).data.map(({ subject }: { subject: string }) => subject)
      expect(mails).toEqual(["[TEST] Thank you, Cleo"])
      await open()
      expect(await to.inputValue()).toBe("me@example.com")
    },
    { allowed: /422/ },
  ))

test("a test is not sent with JSON data that cannot be read", () =>
  withTemplate({}, async (page, { get }) => {
    await page.getByRole("button", { name: /Filled for/ }).click()
    await page.getByText("JSON data", { exact: true }).click()
    await page.getByLabel("Preview data as JSON").fill('{ "firstName": "Grace", }')
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: "Send a test" }).click()
    const dialog = page.getByRole("dialog", { name: "Send a test" })
    await dialog.getByLabel("To").fill("me@example.com")
    await dialog.getByRole("button", { name: "Send" }).click()
    await dialog.getByRole("alert").getByText("The JSON data of the preview cannot be read").waitFor()
    expect((await get("/emails")).data).toEqual([])
  }))

test("a test of marketing mail subscribes nobody, and needs nobody who is subscribed", () =>
  withTemplate({ type: "MARKETING" }, async (page, { post, get, contact }) => {
    await post("/contacts", { email: "gone@example.com", subscribed: false, data: { firstName: "Gus" } })
    const dialog = page.getByRole("dialog", { name: "Send a test" })
    for (const address of ["new@example.com", "gone@example.com"]) {
      await page.getByRole("button", { name: "Send a test" }).click()
      await dialog.getByLabel("To").fill(address)
      await dialog.getByRole("button", { name: "Send" }).click()
      await dialog.waitFor({ state: "detached" })
    }
    expect((await get("/emails")).data).toHaveLength(2)
    expect((await get("/contacts")).data).toHaveLength(1)
    expect((await contact("gone@example.com")).subscribed).toBe(false)
  }))
