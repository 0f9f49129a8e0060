import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { callsTo } from "./calls.ts"
import { visit, withBrowser } from "./harness.ts"

withBrowser()

const path = "/app/contacts"
const dialog = (page: Page) => page.getByRole("dialog", { name: /Import/ })

async function choose(page: Page, content: string | Buffer, name = "people.csv"): Promise<void> {
  await page.getByRole("button", { name: /^Import/ }).click()
  const buffer = typeof content === "string" ? Buffer.from(content) : content
  await dialog(page).getByLabel("CSV file").setInputFiles({ name, mimeType: "text/csv", buffer })
}

const start = (page: Page) => dialog(page).getByRole("button", { name: "Import", exact: true }).click()
const count = (page: Page, name: string) =>
  dialog(page).locator("dl > div").filter({ hasText: name }).locator("dd").textContent()

test("an import shows the target of each column, then its result with every rejected row", () =>
  visit({ path }, async ({ page, server }) => {
    const { post, contact } = callsTo(server)
    await post("/contacts", { email: "bo@example.com", subscribed: false, data: { plan: "team" } })
    await page.reload()
    const lines = [
      "\uFEFFEmail,firstName,plan,zip,subscribed",
      '"Ada@Example.com","Ada, the first",pro,00123,false',
      "bo@example.com,Bo,,+47,true",
      "not-an-email,X,,,",
      ",nobody,,,",
    ]
    await choose(page, lines.join("\r\n"))
    const preview = dialog(page).getByRole("region", { name: "First rows of the file" })
    await preview.waitFor()
    expect(await preview.getByRole("columnheader").allTextContents()).toEqual([
      "Emailthe address",
      "firstNamefield",
      "planfield",
      "zipfield",
      "subscribedleft out: an import never sets it",
    ])
    await dialog(page).getByText("1 row is marked as unsubscribed in the file. They are new here").waitFor()
    await dialog(page).getByLabel("Import and subscribe them all the same").check()
    await preview.getByText("Ada, the first").waitFor()
    await start(page)
    await dialog(page).getByRole("heading", { name: "people.csv imported" }).waitFor()
    expect(await Promise.all(["Rows", "New", "Updated", "Skipped"].map((name) => count(page, name)))).toEqual([
      "4",
      "1",
      "1",
      "2",
    ])
    const rows = dialog(page).getByRole("region", { name: "Skipped rows" }).getByRole("row")
    expect(await rows.nth(1).textContent()).toBe("4not-an-emailNot an email address")
    expect(await rows.nth(2).textContent()).toBe("5(empty)Not an email address")
    await dialog(page).getByRole("button", { name: "Show the new contacts" }).click()
    await dialog(page).waitFor({ state: "detached" })
    await page.getByRole("link", { name: "ada@example.com" }).waitFor()
    await page.getByText("2 contacts").waitFor()
    expect((await contact("ada@example.com")).data).toEqual({ firstName: "Ada, the first", plan: "pro", zip: "00123" })
    expect(await contact("bo@example.com")).toMatchObject({ subscribed: false, data: { plan: "team", zip: "+47" } })
  }))

test.each([
  [413, "A proxy in front of the server takes nothing of this size."],
  [502, "The proxy in front of the server gets no answer from it."],
])("a proxy that answers %d to an import is told from the server", (status, why) =>
  visit({ path, allowed: /status of (413|502)/ }, async ({ page }) => {
    const body = `<html><h1>${status} of the proxy</h1></html>`
    await page.route("**/contacts/import", (route) => route.fulfill({ status, contentType: "text/html", body }))
    await choose(page, "email\nada@example.com")
    await start(page)
    await dialog(page).getByRole("alert").filter({ hasText: why }).waitFor()
    await page.unroute("**/contacts/import")
    await start(page)
    await dialog(page).getByRole("heading", { name: "people.csv imported" }).waitFor()
  }),
)

test("a file that cannot be imported is refused before it is sent", () =>
  visit({ path }, async ({ page }) => {
    const refused = async (content: string | Buffer, name: string, why: string) => {
      await choose(page, content, name)
      await dialog(page).getByRole("alert").filter({ hasText: why }).waitFor()
      expect(await dialog(page).getByRole("button", { name: "Import", exact: true }).isDisabled()).toBe(true)
      await page.keyboard.press("Escape")
      await dialog(page).waitFor({ state: "detached" })
    }
    await refused("name,plan\nAda,pro", "people.csv", "No ticked column is named “email”.")
    await refused("email\na@b.test", "people.txt", "This is not a .csv file.")
    await refused("", "people.csv", "The file is empty.")
    await refused(`email\n${"x".repeat(5 * 1_048_576)}`, "people.csv", "larger than 5 MB")
    await refused(
      'email,note\na@b.test,"never closed',
      "people.csv",
      "A quote is opened in line 2 that is never closed.",
    )
    const notUtf8 = "The file is not UTF-8. Save it as CSV UTF-8."
    const text = "email,name\na@b.test,Zoë\n"
    const utf16 = Buffer.from(text, "utf16le")
    await refused(Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]), "people.csv", notUtf8)
    await refused(utf16, "people.csv", notUtf8)
    await refused(Buffer.from(text.replace("Zoë", `${"Ada".repeat(30_000)}ë`), "latin1"), "people.csv", notUtf8)
  }))

test("the first of many rejected rows are shown, and all can be downloaded", () =>
  visit({ path }, async ({ page }) => {
    await choose(page, ["email,name", ...Array.from({ length: 20 }, (_, at) => `"no, ""address"" ${at}",x`)].join("\n"))
    await start(page)
    await dialog(page).getByText("and 14 more").waitFor()
    expect(await dialog(page).getByRole("region", { name: "Skipped rows" }).getByRole("row").count()).toBe(7)
    const downloaded = page.waitForEvent("download")
    await dialog(page).getByRole("button", { name: "Download them as CSV" }).click()
    const lines = (await Bun.file(await (await downloaded).path()).text()).split("\r\n")
    expect([lines.length, lines[0], lines[20]]).toEqual([
      21,
      "row,email,reason",
      '21,"no, ""address"" 19",Not an email address',
    ])
  }))

test("a failed job shows the reason and offers to choose another file", () =>
  visit({ path }, async ({ page }) => {
    await page.route("**/contacts/import/*", async (route) => {
      const real = await (await route.fetch()).json()
      await route.fulfill({ json: { ...real, status: "failed", failedReason: "A quote is never closed" } })
    })
    await choose(page, "email,note\nada@example.com,x")
    await start(page)
    await dialog(page).getByRole("heading", { name: "people.csv was not imported" }).waitFor()
    expect(await dialog(page).getByRole("status").textContent()).toMatch(/quote/i)
    await dialog(page).getByRole("button", { name: "Choose another file" }).click()
    await dialog(page).getByText("Drop a CSV file here").waitFor()
  }))

test("a file can be dropped on the dialog", () =>
  visit({ path }, async ({ page }) => {
    await page.getByRole("button", { name: /^Import/ }).click()
    const target = dialog(page).getByText("Drop a CSV file here")
    await target.waitFor()
    const data = await page.evaluateHandle(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File(["email\nada@example.com\n"], "dropped.csv", { type: "text/csv" }))
      return transfer
    })
    await target.dispatchEvent("drop", { dataTransfer: data })
    await dialog(page).getByText("dropped.csv").waitFor()
    await start(page)
    await dialog(page).getByRole("heading", { name: "dropped.csv imported" }).waitFor()
  }))

test("an import shows its progress, continues without its dialog, and can be reopened", () =>
  visit({ path }, async ({ page }) => {
    const running = { status: "processing", totalRows: 400, imported: 100, updated: 0, skipped: 0, progress: 25 }
    let pretend = true
    await page.route("**/contacts/import/*", async (route) => {
      const real = await (await route.fetch()).json()
      await route.fulfill({ json: pretend ? { ...real, ...running } : real })
    })
    await choose(page, "email\nada@example.com\n")
    await start(page)
    await dialog(page).getByText("100 of 400 rows").waitFor()
    expect(await dialog(page).getByRole("progressbar").getAttribute("aria-valuenow")).toBe("25")
    await dialog(page).getByRole("button", { name: "Continue in the background" }).click()
    await dialog(page).waitFor({ state: "detached" })
    await page.getByRole("link", { name: "Inbox" }).click()
    await page.reload()
    const tray = page.getByRole("status", { name: "Jobs" })
    await tray.getByText("Importing people.csv").waitFor()
    pretend = false
    await tray.getByText("1 new, 0 updated").waitFor()
    await tray.getByRole("button", { name: "Details" }).click()
    await dialog(page).getByRole("heading", { name: "people.csv imported" }).waitFor()
    expect(await tray.getByText("people.csv").count()).toBe(0)
    await dialog(page).getByRole("button", { name: "Close" }).last().click()
    await dialog(page).waitFor({ state: "detached" })
    expect(await tray.getByText("people.csv").count()).toBe(0)
  }))

test("a file on its way is not imported once that is cancelled; when only its dialog is closed, it goes on", () =>
  visit({ path }, async ({ page, server }) => {
    const hold = async (email: string) => {
      const held = Promise.withResolvers<() => Promise<void>>()
      await page.route("**/contacts/import", (route) => held.resolve(() => route.continue()), { times: 1 })
      await choose(page, `email\n${email}\n`)
      await start(page)
      return await held.promise
    }
    await hold("ada@example.com")
    const cancelled = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/contacts/import"))
    await dialog(page).getByRole("button", { name: "Cancel" }).click()
    await cancelled
    await dialog(page).waitFor({ state: "detached" })

    const goOn = await hold("bo@example.com")
    await page.keyboard.press("Escape")
    await dialog(page).waitFor({ state: "detached" })
    await goOn()
    await page.getByRole("status", { name: "Jobs" }).getByText("people.csv imported").waitFor()
    expect(await dialog(page).count()).toBe(0)
    const { data } = await callsTo(server).get("/contacts")
    expect(data.map(({ email }: { email: string }) => email)).toEqual(["bo@example.com"])
  }))

test("days are imported as times, which segments find, if that is wanted", () =>
  visit({ path }, async ({ page, server }) => {
    await choose(page, "email,signedUp,born\nada@example.com,2026-07-20,20/07/1990\nbo@example.com,,")
    const asTimes = dialog(page).getByLabel("Import signedUp as a time")
    await dialog(page).getByText("2026-07-20 becomes 2026-07-20T00:00:00Z.").waitFor()
    expect(await asTimes.isChecked()).toBe(false)
    await asTimes.check()
    await start(page)
    await dialog(page).getByRole("heading", { name: "people.csv imported" }).waitFor()
    const { contact } = callsTo(server)
    expect((await contact("ada@example.com")).data).toEqual({ signedUp: "2026-07-20T00:00:00Z", born: "20/07/1990" })
  }))

test("the palette starts an import from every page", () =>
  visit({ mails: [{ subject: "One" }] }, async ({ page, row }) => {
    await row("One").waitFor()
    await page.keyboard.press("Control+k")
    await page.getByRole("combobox", { name: "Command" }).fill("import")
    await page.keyboard.press("Enter")
    await dialog(page).getByText("Drop a CSV file here").waitFor()
  }))

test.each([
  [";", "people.csv"],
  ["\t", "people.tsv"],
])("a file separated by %j is accepted, with columns renamed and left out", (separator, name) =>
  visit({ path }, async ({ page, server }) => {
    const lines = [
      ["Address", "Plan", "Note"],
      ["ada@example.com", "pro", "bo@example.com"],
    ]
    await choose(page, lines.map((cells) => cells.join(separator)).join("\r\n"), name)
    await dialog(page)
      .getByRole("alert")
      .filter({ hasText: "Type email above the column that has the addresses" })
      .waitFor()
    await dialog(page).getByLabel("Field for Address").fill("email")
    await dialog(page).getByLabel("Field for Plan").fill("tier")
    await dialog(page).getByLabel("Import Note").uncheck()
    const preview = dialog(page).getByRole("region", { name: "First rows of the file" })
    expect(await preview.getByRole("columnheader").allTextContents()).toEqual([
      "Addressthe address",
      "Planfield",
      "Noteleft out",
    ])
    await start(page)
    await dialog(page).getByRole("heading", { name: "people.csv imported" }).waitFor()
    expect((await callsTo(server).contact("ada@example.com")).data).toEqual({ tier: "pro" })
  }),
)

test("a column with a usual name for addresses is the address, and can be renamed", () =>
  visit({ path }, async ({ page, server }) => {
    await choose(page, "Name;E-Mail Address\nAda;ada@example.com\n")
    const field = dialog(page).getByLabel("Field for E-Mail Address")
    expect(await field.inputValue()).toBe("email")
    await field.fill("Contact")
    await dialog(page).getByRole("alert").filter({ hasText: "Type email above" }).waitFor()
    await field.fill("email")
    await start(page)
    await dialog(page).getByRole("heading", { name: "people.csv imported" }).waitFor()
    expect((await callsTo(server).contact("ada@example.com")).data).toEqual({ Name: "Ada" })
  }))

test("rows marked as unsubscribed are left out if new; existing contacts keep their state", () =>
  visit({ path }, async ({ page, server }) => {
    const { post, contact } = callsTo(server)
    await post("/contacts", { email: "bo@example.com", subscribed: false })
    await choose(
      page,
      "email,subscribed,plan\nada@example.com,false,pro\nbo@example.com,no,pro\ncy@example.com,true,pro\n",
    )
    await dialog(page)
      .getByText(
        "1 of them is new here and would be subscribed, so it is left out. The other is a contact already and keeps its subscription as it is.",
      )
      .waitFor()
    await start(page)
    await dialog(page).getByRole("heading", { name: "people.csv imported" }).waitFor()
    expect(await contact("ada@example.com")).toBeUndefined()
    expect(await contact("bo@example.com")).toMatchObject({ subscribed: false, data: { plan: "pro" } })
    expect(await contact("cy@example.com")).toMatchObject({ subscribed: true, data: { plan: "pro" } })
  }))

test("true and false are imported as such also as Excel saves them in its own language", () =>
  visit({ path }, async ({ page, server }) => {
    await choose(page, "email;vip\r\nada@example.com;WAHR\r\nbo@example.com;FALSCH\r\n")
    await start(page)
    await dialog(page).getByRole("heading", { name: "people.csv imported" }).waitFor()
    const { contact } = callsTo(server)
    expect((await contact("ada@example.com")).data).toEqual({ vip: true })
    expect((await contact("bo@example.com")).data).toEqual({ vip: false })
  }))

test("days are imported as times also as Excel saves them in other countries", () =>
  visit({ path }, async ({ page, server }) => {
    await choose(page, "email;seen\r\nada@example.com;1.12.2025 9:30\r\n")
    await dialog(page).getByText("1.12.2025 9:30 becomes 2025-12-01T09:30:00Z.").waitFor()
    await dialog(page).getByLabel("Import seen as a time").check()
    await start(page)
    await dialog(page).getByRole("heading", { name: "people.csv imported" }).waitFor()
    expect((await callsTo(server).contact("ada@example.com")).data).toEqual({ seen: "2025-12-01T09:30:00Z" })
  }))

test("rows are marked as unsubscribed too where Excel has saved the file in its own language", () =>
  visit({ path }, async ({ page, server }) => {
    const { contact } = callsTo(server)
    await choose(page, "email;subscribed\r\nada@example.com;FALSCH\r\ncy@example.com;WAHR\r\n")
    await dialog(page).getByText("1 row is marked as unsubscribed in the file. They are new here").waitFor()
    await start(page)
    await dialog(page).getByRole("heading", { name: "people.csv imported" }).waitFor()
    expect(await contact("ada@example.com")).toBeUndefined()
    expect(await contact("cy@example.com")).toMatchObject({ subscribed: true })
  }))

test("a row that could not be taken has its number in the file, also where rows above it were left out", () =>
  visit({ path }, async ({ page }) => {
    await choose(
      page,
      "email,unsubscribed\nada@example.com,yes\nnobody@,no\nbo@example.com,yes\ncy@example.com,no\nanybody@,no\n",
    )
    await dialog(page).getByText("2 rows are marked as unsubscribed in the file.").waitFor()
    await start(page)
    const rows = dialog(page).getByRole("region", { name: "Skipped rows" }).getByRole("row")
    await rows.filter({ hasText: "anybody@" }).waitFor()
    expect(await rows.locator("td:first-child").allInnerTexts()).toEqual(["3", "6"])
  }))

test("on a phone the headers of the rejected rows are whole words", () =>
  visit({ path, viewport: { width: 375, height: 800 } }, async ({ page }) => {
    await choose(page, "email\nbroken\n")
    await start(page)
    const headers = dialog(page).getByRole("region", { name: "Skipped rows" }).getByRole("columnheader")
    await headers.first().waitFor()
    const lines = (all: Element[]) =>
      all.map((it) => {
        const range = document.createRange()
        range.selectNodeContents(it)
        return range.getClientRects().length
      })
    expect(await headers.evaluateAll(lines)).toEqual([1, 1, 1])
  }))
