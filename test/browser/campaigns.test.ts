import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { callsTo } from "./calls.ts"
import { visit, withBrowser } from "./harness.ts"
import type { TestServer } from "./sandbox-server.ts"

withBrowser()

const path = "/app/campaigns"

const addCampaign = (server: TestServer, fields: Record<string, unknown> = {}) =>
  callsTo(server).post("/campaigns", {
    name: "June news",
    subject: "News for {{firstName ?? you}}",
    body: "<p>Hello {{firstName ?? there}}</p>",
    from: "hello@shop.test",
    audienceType: "ALL",
    ...fields,
  })

const campaignOf = async (server: TestServer, id: string) => (await callsTo(server).get(`/campaigns/${id}`)).data
const open = (page: Page, server: TestServer, id: string) => page.goto(`${server.url}${path}/${id}`)
const sendButton = (page: Page) => page.getByRole("button", { name: "Send", exact: true })

test("once a campaign was sent by keyboard, the focus is on the heading of its report", () =>
  visit({ path: null }, async ({ page, server }) => {
    await callsTo(server).addContacts(1)
    const { data } = await addCampaign(server)
    await open(page, server, data.id)
    await sendButton(page).press("Enter")
    await page.getByRole("button", { name: "Send to 1" }).press("Enter")
    await page.waitForFunction(() => document.activeElement?.matches("h1"))
  }))

test("the page without campaigns explains them, and the first one is written, sent and reported", () =>
  visit({ path }, async ({ page, server }) => {
    await callsTo(server).addContacts(3)
    await page.getByRole("heading", { name: "One mail to many" }).waitFor()
    await page.getByRole("button", { name: "New campaign" }).click()
    await page.getByRole("button", { name: "Create draft" }).click()
    await page.getByText("Give it a name.").waitFor()
    await page.getByLabel("Name", { exact: true }).fill("June news")
    await page.getByRole("button", { name: "Create draft" }).click()

    await page.getByLabel("Subject").fill("News of June")
    await sendButton(page).click()
    await page.getByText("3 subscribed contacts").waitFor()
    // a definition with another role is none
    expect(await page.getByRole("dialog").getByRole("definition").count()).toBe(
      await page.getByRole("dialog").locator("dd").count(),
    )
    await page.getByRole("button", { name: "Send to 3" }).click()
    await page.getByRole("heading", { name: "June news" }).waitFor()
    await page.locator("main").getByText("Sent", { exact: true }).first().waitFor()
    const figures = page.getByLabel("Figures")
    await figures.getByText("100%").first().waitFor()
    expect(await page.getByRole("table", { name: "Mails" }).getByRole("row").count()).toBe(3)
    const mails = await callsTo(server).get("/emails")
    expect(mails.data.map(({ subject }: { subject: string }) => subject)).toEqual(Array(3).fill("News of June"))
  }))

test("a campaign begins with any template, also one that is not among the first hundred", () =>
  visit({ path }, async ({ page, server }) => {
    const calls = callsTo(server)
    await calls.addTemplate({ name: "Zebra news", subject: "From the zoo", from: "zoo@shop.test" })
    for (let n = 1; n <= 100; n++) await calls.addTemplate({ name: `A ${n}` })
    await page.getByRole("button", { name: "New campaign" }).click()
    await page.getByLabel("Name", { exact: true }).fill("June news")
    const begin = page.getByRole("combobox", { name: "Begin with" })
    expect(await begin.inputValue()).toStartWith("Newsletter")
    await begin.fill("zebra")
    await page.getByRole("option", { name: "Zebra news" }).click()
    await page.getByRole("button", { name: "Create draft" }).click()
    await page.waitForURL(/campaigns\/[\w-]{36}/)
    expect((await calls.get("/campaigns")).data[0]).toMatchObject({ name: "June news", subject: "From the zoo" })
  }))

test("the list shows, searches and filters campaigns, and its view is in the URL", () =>
  visit({ path: "/app/inbox" }, async ({ page, server }) => {
    await addCampaign(server, { name: "June news" })
    const july = await addCampaign(server, { name: "July news" })
    await callsTo(server).post(`/campaigns/${july.data.id}/send`, { scheduledFor: "2099-07-01T10:00:00Z" })
    await page.getByRole("link", { name: "Campaigns" }).click()
    await page.getByText("2 campaigns").waitFor()
    const [status, due] = ["Scheduled", /^1 Jul 2099, \d/].map((text) => page.getByRole("table").getByText(text))
    expect((await due?.boundingBox())?.x).toBe((await status?.boundingBox())?.x)
    await page.getByLabel("Search campaigns").fill("july")
    await page.getByText("1 found").waitFor()
    await page.getByLabel("Search campaigns").fill("")
    await page.getByLabel("Status", { exact: true }).selectOption("Draft")
    await page.getByText("1 found").waitFor()
    await page.getByRole("link", { name: "June news" }).waitFor()
    expect(new URL(page.url()).search).toBe("?status=DRAFT")
    await page.getByLabel("Status", { exact: true }).selectOption("Sent")
    await page.getByRole("button", { name: "Show all campaigns" }).click()
    await page.getByText("2 campaigns").waitFor()
  }))

test("changes are saved together, and leaving with unsaved ones asks first", () =>
  visit({ path: null }, async ({ page, server }) => {
    const { data } = await addCampaign(server, { description: "For June", replyTo: "help@shop.test" })
    await open(page, server, data.id)
    await page.getByLabel("Subject").fill("Other news")
    await page.getByText("Not saved").waitFor()
    await page.getByRole("link", { name: "Templates" }).click()
    await page.getByRole("button", { name: "Stay" }).click()
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Saved just now").waitFor()
    expect(await campaignOf(server, data.id)).toMatchObject({
      subject: "Other news",
      description: "For June",
      replyTo: "help@shop.test",
      audienceType: "ALL",
      status: "DRAFT",
    })
  }))

test("changes that are not saved when a campaign begins at its time are told to have been left out", () =>
  visit({ path: null }, async ({ page, server }) => {
    const calls = callsTo(server)
    await calls.addContacts(1)
    const { data } = await addCampaign(server)
    await calls.post(`/campaigns/${data.id}/send`, { scheduledFor: "2099-07-01T10:00:00Z" })
    await open(page, server, data.id)
    await page.getByLabel("Subject").fill("Corrected news")
    await page.getByText("Not saved").waitFor()
    await calls.post(`/campaigns/${data.id}/send`, { scheduledFor: new Date().toISOString() })
    await page.getByText("Your last changes did not go out").waitFor()
    await page.getByText("June news began before they were saved: it goes out as it was.").waitFor()
  }))

test("a faulty subject is reported at its field and nothing is sent", () =>
  visit({ path: null, allowed: /400|422/ }, async ({ page, server }) => {
    const { data } = await addCampaign(server)
    await open(page, server, data.id)
    await page.getByLabel("Subject").fill("Hello {{firstName")
    await sendButton(page).click()
    await page
      .getByText(/^Column \d+:/)
      .first()
      .waitFor()
    expect(await page.getByRole("dialog").count()).toBe(0)
    expect((await campaignOf(server, data.id)).status).toBe("DRAFT")
  }))

test("fields that no contact has are named before it is sent", () =>
  visit({ path: null }, async ({ page, server }) => {
    const calls = callsTo(server)
    await calls.post("/contacts", { email: "ada@example.com", data: { firstName: "Ada" } })
    const { data } = await addCampaign(server, { body: "<p>{{firstName}}, {{frist_name ?? you}}, {{email}}</p>" })
    await open(page, server, data.id)
    await sendButton(page).click()
    const note = page.getByRole("dialog").getByRole("note")
    await note.getByText("No contact has the field frist_name.").waitFor()
    await page.getByRole("button", { name: "Send to 1" }).click()
    await page.getByRole("heading", { name: "June news" }).waitFor()
  }))

test("for a segment audience the current members are counted", () =>
  visit({ path: null }, async ({ page, server }) => {
    const calls = callsTo(server)
    for (const [email, plan] of [
      ["a@x.test", "pro"],
      ["b@x.test", "free"],
      ["c@x.test", "pro"],
    ])
      await calls.post("/contacts", { email, data: { plan } })
    const condition = {
      logic: "AND",
      groups: [{ filters: [{ field: "data.plan", operator: "equals", value: "pro" }] }],
    }
    await calls.post("/segments", { name: "Pro customers", condition })
    const { data } = await addCampaign(server)
    await open(page, server, data.id)
    await page.getByText("Audience", { exact: true }).click()
    await page.getByRole("status").getByText("subscribed contacts").waitFor()
    // What is in view is in the URL.
    await page.reload()
    await page.getByLabel("A segment").check()
    await sendButton(page).click()
    await page.getByRole("alert").getByText("Choose a segment.").waitFor()
    await page.getByLabel("Segment", { exact: true }).selectOption({ label: "Pro customers (2)" })
    const recipients = (now: string) => page.getByLabel("Recipients").getByText(now, { exact: true })
    await recipients("2").waitFor()
    await page.getByText("Not saved").waitFor()
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Saved just now").waitFor()
    expect(await campaignOf(server, data.id)).toMatchObject({
      audienceType: "SEGMENT",
      segment: { name: "Pro customers" },
      totalRecipients: 2,
    })

    await calls.post("/contacts", { email: "d@x.test", data: { plan: "pro" } })
    await page.getByText("Content", { exact: true }).click()
    await page.getByText("Audience", { exact: true }).click()
    await recipients("3").waitFor()
    await calls.post("/contacts", { email: "e@x.test", data: { plan: "pro" } })
    const counting = Promise.withResolvers<void>()
    await page.route("**/campaigns/audience", (route) => counting.promise.then(() => route.continue()))
    await sendButton(page).click()
    await page.getByRole("dialog").getByText("counting…").waitFor()
    expect(await page.getByRole("dialog").getByRole("button", { name: "Send", exact: true }).isEnabled()).toBe(true)
    counting.resolve()
    await page.getByRole("dialog").getByText("4 subscribed contacts").waitFor()
    await page.getByRole("button", { name: "Send to 4" }).waitFor()
  }))

test("for an audience by conditions the matches are counted while editing", () =>
  visit({ path: null }, async ({ page, server }) => {
    const calls = callsTo(server)
    await calls.post("/contacts", { email: "b@south.test", subscribed: false })
    for (const email of ["a@north.test", "c@north.test"]) await calls.post("/contacts", { email })
    await calls.post("/contacts", { email: "d@north.test", subscribed: false })
    const filter = { field: "email", operator: "contains", value: "north" }
    const { data } = await addCampaign(server, {
      audienceType: "FILTERED",
      audienceCondition: { logic: "AND", groups: [{ filters: [filter] }] },
    })
    await open(page, server, data.id)
    await page.getByText("Audience", { exact: true }).click()
    const matching = page.getByRole("complementary", { name: "Who matches" })
    await matching.getByText("a@north.test").waitFor()
    await matching.getByText("2 of them are subscribed and get it.").waitFor()
    await page.getByRole("textbox", { name: /value/i }).fill("south")
    await matching.getByText("b@south.test").waitFor()
    await matching.getByText("None of them gets it: nobody of them is subscribed.").waitFor()
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Saved just now").waitFor()
    const saved = await campaignOf(server, data.id)
    expect(saved.audienceCondition.groups[0].filters[0]).toEqual({ ...filter, value: "south" })
    expect(saved.totalRecipients).toBe(0)

    await sendButton(page).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByText(/Nobody who matches the conditions is subscribed\./).waitFor()
    expect(await dialog.getByRole("button", { name: "Send", exact: true }).isDisabled()).toBe(true)
    await dialog.getByText("Later", { exact: true }).click()
    await dialog.getByRole("button", { name: "Schedule" }).click()
    await page.getByText(/^Goes out/).waitFor()
  }))

test("a campaign is scheduled in a time zone, rescheduled and cancelled", () =>
  visit({ path: null }, async ({ page, server }) => {
    const { data } = await addCampaign(server)
    await open(page, server, data.id)
    await sendButton(page).click()
    await page.getByText("Later", { exact: true }).click()
    await page.getByLabel("Time", { exact: true }).fill("2001-01-01T10:00")
    await page.getByRole("button", { name: "Schedule" }).click()
    await page.getByText("That is in the past.").waitFor()
    await page.getByLabel("Time", { exact: true }).fill("2099-07-01T10:00")
    await page.getByLabel("Time zone").selectOption("Europe/Berlin")
    await page.getByRole("button", { name: "Schedule" }).click()
    await page.getByText(/^Goes out/).waitFor()
    expect(await campaignOf(server, data.id)).toMatchObject({
      status: "SCHEDULED",
      scheduledFor: "2099-07-01T08:00:00.000Z",
    })
    await page.getByRole("button", { name: "Reschedule" }).waitFor()
    await page.getByRole("button", { name: "Campaign actions" }).click()
    await page.getByRole("menuitem", { name: "Cancel the campaign…" }).click()
    await page.getByRole("button", { name: "Cancel the campaign" }).click()
    await page.getByText("By hand.").waitFor()
    expect((await campaignOf(server, data.id)).status).toBe("CANCELLED")
  }))

test("a test is sent to one address, is marked, and creates no contact", () =>
  visit({ path: null, allowed: /422/ }, async ({ page, server }) => {
    const { data } = await addCampaign(server)
    await open(page, server, data.id)
    await page.getByRole("button", { name: "Campaign actions" }).click()
    await page.getByRole("menuitem", { name: "Send a test…" }).click()
    await page.getByLabel("To", { exact: true }).fill("not an address")
    await page.getByRole("button", { name: "Send", exact: true }).last().click()
    await page.getByText(/^email:/).waitFor()
    await page.getByLabel("To", { exact: true }).fill("me@shop.test")
    await page.getByRole("button", { name: "Send", exact: true }).last().click()
    await page.getByText("The test is on its way to me@shop.test.").waitFor()
    const calls = callsTo(server)
    expect((await calls.get("/emails")).data).toMatchObject([{ subject: "[TEST] News for you", to: "me@shop.test" }])
    expect(await calls.contact("me@shop.test")).toBeUndefined()
  }))

test("a campaign is duplicated into a new draft, and deleted after asking", () =>
  visit({ path: null }, async ({ page, server }) => {
    const { data } = await addCampaign(server)
    await open(page, server, data.id)
    await page.getByRole("button", { name: "Campaign actions" }).click()
    await page.getByRole("menuitem", { name: "Duplicate" }).click()
    await page.waitForURL((url) => !url.pathname.endsWith(data.id))
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("June news (Copy)")
    await page.getByRole("button", { name: "Campaign actions" }).click()
    await page.getByRole("menuitem", { name: "Delete…" }).click()
    await page.getByRole("button", { name: "Delete", exact: true }).click()
    await page.getByText("1 campaign", { exact: true }).waitFor()
  }))

test("the report names failures, and links to the mails", () =>
  visit({ path: null }, async ({ page, server }) => {
    const calls = callsTo(server)
    for (const email of ["ada@x.test", "bounce@simulator.test", "fail@simulator.test"])
      await calls.post("/contacts", { email })
    const { data } = await addCampaign(server)
    await calls.post(`/campaigns/${data.id}/send`, {})
    await open(page, server, data.id)
    const figures = page.getByLabel("Figures")
    await figures.getByText("Failed").waitFor()
    await figures.getByText("50%").first().waitFor()
    await page.getByLabel("Status of the mails").selectOption("Bounced")
    const mails = page.getByRole("table", { name: "Mails" })
    await mails.getByText("ada@x.test").waitFor({ state: "detached" })
    await mails.getByRole("link", { name: "bounce@simulator.test" }).click()
    await page.getByRole("heading", { name: "News for you" }).waitFor()
    await page.getByLabel("Origin").getByText("June news").waitFor()
  }))

test("a link to a deleted campaign shows that it does not exist", () =>
  visit({ path: `${path}/01890000-0000-7000-8000-000000000000`, allowed: /404/ }, async ({ page }) => {
    await page.getByRole("alert").getByText("This campaign is not here.", { exact: false }).waitFor()
    await page.getByRole("button", { name: "All campaigns" }).click()
    await page.getByRole("heading", { name: "One mail to many" }).waitFor()
  }))

test("on a narrow screen nothing is wider than the screen", () =>
  visit({ path: null, viewport: { width: 390, height: 800 } }, async ({ page, server }) => {
    await callsTo(server).addContacts(1)
    const { data } = await addCampaign(server)
    const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)
    await page.goto(server.url + path)
    await page.getByRole("link", { name: "June news" }).waitFor()
    expect(await fits()).toBe(true)
    await page.getByRole("link", { name: "June news" }).click()
    await page.getByLabel("Subject").waitFor()
    expect(await fits()).toBe(true)
    await page.getByText("Audience", { exact: true }).click()
    await page.getByLabel("Everybody").waitFor()
    expect(await fits()).toBe(true)
    await callsTo(server).post(`/campaigns/${data.id}/send`, {})
    await page.reload()
    await page.getByLabel("Figures").waitFor()
    expect(await fits()).toBe(true)
  }))
