import { expect, test } from "bun:test"
import { startOutsider, withBrowser } from "./harness.ts"
import { body, hasFocus, paper, withTemplate, write } from "./templates-seed.ts"

withBrowser()

test("the preview follows typing, with the values of a chosen contact or sample data", () =>
  withTemplate({ body: "<p>Hello {{firstName ?? friend}}, {{plan}}</p>" }, async (page, { post }) => {
    await post("/contacts", { email: "bo@example.com", data: { firstName: "Bo", plan: "free" } })
    await post("/contacts", { email: "ada@example.com", data: { firstName: "Ada", plan: "pro" } })
    await page.reload()
    await paper(page).getByText("Hello Ada, pro").waitFor()
    await page.getByText("Thank you, Ada").waitFor()
    await write(page, "<p>Dear {{firstName}}</p>")
    await paper(page).getByText("Dear Ada").waitFor()

    await page.getByRole("button", { name: "Filled for ada@example.com" }).click()
    const search = page.getByLabel("Find a contact")
    await search.fill("bo@")
    await search.press("Enter")
    await paper(page).getByText("Dear Bo").waitFor()
    await page.getByRole("button", { name: "Filled for bo@example.com" }).click()
    await page.getByRole("button", { name: "bo@example.com", exact: true }).waitFor()
    // The popover gives it the focus when it has opened, whatever has it then.
    await hasFocus(page, "Find a contact")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowUp")
    await hasFocus(page, "ada@example.com")
    await page.keyboard.press("Enter")
    await paper(page).getByText("Dear Ada").waitFor()
    await page.getByRole("button", { name: "Filled for ada@example.com" }).click()
    await page.getByRole("button", { name: "bo@example.com" }).click()
    await paper(page).getByText("Dear Bo").waitFor()

    await page.getByRole("button", { name: "Filled for bo@example.com" }).click()
    await page.getByText("JSON data", { exact: true }).click()
    const area = page.getByLabel("Preview data as JSON")
    await area.waitFor()
    expect(JSON.parse(await area.inputValue())).toEqual({ firstName: "Bo", plan: "free" })
    await area.fill('{ "firstName": "Grace" }')
    await paper(page).getByText("Dear Grace").waitFor()
    await area.fill('{ "firstName": ')
    await page.getByRole("alert").filter({ hasText: "Line 1, column" }).waitFor()
    await paper(page).getByText("Dear Grace").waitFor()
  }))

test("sample data are kept with the template, for another browser too; a chosen contact only in its own", () =>
  withTemplate({ body: "<p>Hello {{firstName ?? friend}}</p>" }, async (page, { post }) => {
    await post("/contacts", { email: "bo@example.com", data: { firstName: "Bo" } })
    await page.reload()
    await page.getByRole("button", { name: "Filled for bo@example.com" }).click()
    await page.getByText("JSON data", { exact: true }).click()
    const saved = page.waitForResponse(
      (answer) => answer.url().endsWith("/sample") && answer.request().method() === "PUT",
    )
    await page.getByLabel("Preview data as JSON").fill('{ "firstName": "Grace" }')
    await paper(page).getByText("Hello Grace").waitFor()
    expect((await saved).status()).toBe(200)
    await page.evaluate(() => localStorage.clear())
    await page.reload()
    await paper(page).getByText("Hello Grace").waitFor()
    await page.getByRole("button", { name: "Filled for JSON data" }).click()
    await page.getByText("A contact", { exact: true }).click()
    await paper(page).getByText("Hello Bo").waitFor()
    await page.reload()
    await paper(page).getByText("Hello Bo").waitFor()
    await page.getByRole("button", { name: "Filled for bo@example.com" }).click()
    await page.getByText("JSON data", { exact: true }).click()
    await paper(page).getByText("Hello Grace").waitFor()
  }))

test("the text part and the phone width of the preview can be chosen", () =>
  withTemplate({ body: "<h1>Hello</h1><p>See <a href='https://shop.test'>the shop</a></p>" }, async (page) => {
    await paper(page).getByText("Hello").waitFor()
    const frame = page.locator("iframe[title='Mail preview']")
    expect((await frame.boundingBox())?.width).toBeGreaterThan(400)
    await page.getByRole("radio", { name: "Phone width" }).press("Space")
    await page.waitForFunction(() => document.querySelector("iframe")?.getBoundingClientRect().width === 377)
    await page.getByRole("tab", { name: "Text" }).click()
    expect(await page.getByRole("region", { name: "Text of the mail" }).textContent()).toContain(
      "the shop (https://shop.test)",
    )
  }))

test("the language of the preview can be chosen", () =>
  withTemplate({ body: '<p>{{formatDate "2026-01-31" "D MMMM"}}</p>' }, async (page) => {
    await paper(page).getByText("31 January").waitFor()
    await page.getByRole("button", { name: /Filled for/ }).click()
    await page.getByLabel("Language").selectOption("de")
    await paper(page).getByText("31 Januar", { exact: true }).waitFor()
  }))

test("the preview runs no scripts, submits no forms and loads no remote content unless requested", async () => {
  const outsider = startOutsider()
  const html = `<p id="x">Safe</p><img src="${outsider.url}/a.gif"><script>document.title = "ran"</script>
    <img src="data:," onerror="top.document.title = 'ran'"><form action="/x"><button>Go</button></form>
    <a href="javascript:top.document.title='ran'">Link</a><meta http-equiv="refresh" content="0;url=${outsider.url}/page">`
  const allowed = /blocked|violates|Refused|sandboxed|127\.0\.0\.1/i
  try {
    await withTemplate(
      { name: "Risky", body: html },
      async (page) => {
        await paper(page).getByText("Safe").waitFor()
        await page.getByText("Pictures and styles from elsewhere are off").waitFor()
        await paper(page).getByRole("button", { name: "Go" }).click()
        await paper(page).getByText("Safe").waitFor()
        expect(outsider.pictures()).toBe(0)
        const shown = page.waitForResponse(`${outsider.url}/a.gif`)
        await page.getByRole("button", { name: "Load", exact: true }).click()
        await shown
        await paper(page).getByText("Safe").waitFor()
        expect(outsider.pictures()).toBe(1)
        expect(await page.title()).toBe("Risky · Mailstead")
      },
      { allowed },
    )
  } finally {
    await outsider.stop()
  }
})

test("the preview keeps its scroll position while the template changes", () => {
  const long = Array.from({ length: 80 }, (_, line) => `<p>Line ${line}</p>`).join("\n")
  return withTemplate({ body: long }, async (page) => {
    await paper(page).getByText("Line 79").waitFor()
    const frame = page.frames().find((one) => one.url().endsWith("/app/document"))
    await frame?.evaluate(() => window.scrollTo(0, 900))
    await body(page).click()
    await page.keyboard.press("Control+Home")
    await page.keyboard.insertText("<h1>New</h1>")
    await paper(page).getByText("New").waitFor()
    expect(await frame?.evaluate(() => window.scrollY)).toBe(900)
  })
})

test("the preview recovers once the server answers again", () =>
  withTemplate(
    { body: "<p>Before</p>" },
    async (page) => {
      await paper(page).getByText("Before").waitFor()
      await page.route("**/templates/preview", (route) => route.abort("connectionrefused"))
      await write(page, "<p>After</p>")
      const silent = page.getByRole("alert").getByText("The server does not answer.")
      await silent.waitFor()
      await page.unroute("**/templates/preview")
      await paper(page).getByText("After").waitFor()
      await silent.waitFor({ state: "detached" })
    },
    { allowed: /ERR_CONNECTION_REFUSED/ },
  ))

test("marketing mail is previewed with its footer and the name of its sender", () =>
  withTemplate({ type: "TRANSACTIONAL", fromName: "Acme", body: "<p>News</p>" }, async (page) => {
    await paper(page).getByText("News").waitFor()
    const unsubscribe = paper(page).getByRole("link", { name: "Unsubscribe" })
    expect(await unsubscribe.count()).toBe(0)
    await page.getByRole("button", { name: "Type: Transactional" }).click()
    await page.getByRole("menuitemradio", { name: /Marketing/ }).click()
    await unsubscribe.waitFor()
    await paper(page).getByText("news from Acme.").waitFor()
    await page.getByLabel("Sender name").fill("Umbrella")
    await paper(page).getByText("news from Umbrella.").waitFor()
    await page.getByRole("tab", { name: "Text" }).click()
    await page.getByRole("region", { name: "Text of the mail" }).getByText("news from Umbrella.").waitFor()
    await page.getByRole("button", { name: "Type: Marketing" }).click()
    await page.getByRole("menuitemradio", { name: /Headless/ }).click()
    await page.getByText("news from Umbrella.").waitFor({ state: "detached" })
  }))

test("a contact created meanwhile does not replace that of the preview", () =>
  withTemplate(
    { body: "<p>Hello {{firstName}}</p>" },
    async (page, { post }) => {
      const editor = page.url()
      // the clock can only be set while no frame is loading
      await page.goto(new URL("/app/inbox", editor).href)
      await page.clock.install()
      await post("/contacts", { email: "ada@example.com", data: { firstName: "Ada" } })
      await page.goto(editor)
      await paper(page).getByText("Hello Ada").waitFor()
      await post("/contacts", { email: "new@example.com" })
      // stale data is refetched when the window gets the focus
      await page.clock.fastForward("05:00")
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })))
      await write(page, "<p>Dear {{firstName}}</p>")
      await page.clock.runFor(1_000)
      await paper(page).getByText("Dear Ada").waitFor()
      await page.getByRole("button", { name: "Filled for ada@example.com" }).waitFor()
    },
    // the clock of the test is a script, which the preview frame blocks
    { allowed: /Blocked script execution/, alone: true },
  ))
