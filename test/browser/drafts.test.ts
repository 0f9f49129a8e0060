import { expect, test } from "bun:test"
import { callsTo } from "./calls.ts"
import { moveTo, visit, withBrowser } from "./harness.ts"
import { all, filter } from "./segments-seed.ts"
import { updateServer } from "./server-update.ts"

withBrowser()

test("unsaved changes of a template survive a reload, until they are saved", () =>
  visit({ path: null }, async ({ page, server }) => {
    const { addTemplate, get } = callsTo(server)
    const { id } = await addTemplate({})
    await page.goto(`${server.url}/app/templates/${id}`)
    const subject = page.getByLabel("Subject")
    await subject.waitFor()
    // what is kept survives a reload of another tab that shows the same template unchanged, too
    const other = await page.context().newPage()
    await other.goto(`${server.url}/app/templates/${id}`)
    await other.getByLabel("Subject").fill("Not yet saved")
    await other.goto("about:blank")
    await page.reload()
    const notice = page.getByText("What you had not saved of this template is still here.")
    await notice.hover()
    expect(await subject.inputValue()).toBe("Not yet saved")
    await page.keyboard.press("Control+s")
    await page.getByText("Saved just now").waitFor()
    await notice.waitFor({ state: "detached" })
    expect((await get(`/templates/${id}`)).subject).toBe("Not yet saved")
    await page.reload()
    await subject.waitFor()
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes("draft")))).toEqual([])
  }))

test("a restored draft asks before overwriting when the template was saved elsewhere", () =>
  visit({ path: null }, async ({ page, server }) => {
    const { addTemplate } = callsTo(server)
    const { id } = await addTemplate({})
    await page.goto(`${server.url}/app/templates/${id}`)
    await page.getByLabel("Subject").fill("Here")
    await fetch(`${server.url}/templates/${id}`, {
      method: "PATCH",
      headers: { Authorization: `Bearer ${server.projects[0]?.secret}`, "Content-Type": "application/json" },
      body: JSON.stringify({ subject: "There" }),
    })
    await page.reload()
    await page.getByText("What you had not saved of this template is still here.").waitFor()
    await page.keyboard.press("Control+s")
    const asked = page.getByRole("dialog", { name: "Changed elsewhere meanwhile" })
    await asked.getByRole("button", { name: "Load it" }).click()
    await page.getByText("Saved just now").waitFor()
    expect(await page.getByLabel("Subject").inputValue()).toBe("There")
  }))

test("what was saved although the answer was lost is not taken for a change elsewhere", () =>
  visit({ path: null, allowed: /ERR_FAILED/ }, async ({ page, server }) => {
    const { addTemplate, post, get } = callsTo(server)
    const template = await addTemplate({})
    const segment = await post("/segments", { name: "VIPs", condition: all(filter("email", "contains", "acme")) })
    const workflow = await post("/workflows", { name: "Welcome", eventName: "signup" })
    const items = [
      [`/templates/${template.id}`, "subject"],
      [`/segments/${segment.id}`, "name"],
      [`/workflows/${workflow.id}`, "name"],
    ] as const
    for (const [path, name] of items) {
      await page.goto(`${server.url}/app${path}`)
      await page.getByLabel(name === "name" ? "Name" : "Subject", { exact: true }).fill("Changed")
      await page.route(`**${path}`, async (route) => {
        if (route.request().method() === "GET") return route.continue()
        await route.fetch()
        await route.abort()
      })
      await page.keyboard.press("Control+s")
      await page.getByText("The server does not answer.").waitFor()
      await page.unroute(`**${path}`)
      expect((await get(path))[name]).toBe("Changed")
      await page.keyboard.press("Control+s")
      await page.getByText("Saved just now").waitFor()
      expect(await page.getByRole("dialog").count()).toBe(0)
    }
  }))

test("a change elsewhere is asked about also when the clock of the sandbox stands still", () =>
  visit({ path: null, settings: { "sandbox.clock": "manual" }, allowed: /401/ }, async ({ page, server }) => {
    const { id } = await callsTo(server).addTemplate({})
    await page.goto(`${server.url}/app/templates/${id}`)
    await page.getByLabel("Subject").fill("Here")
    await page.keyboard.press("Control+s")
    await page.getByText("Saved just now").waitFor()
    await page.getByLabel("Subject").fill("Here again")
    await fetch(`${server.url}/templates/${id}`, {
      method: "PATCH",
      headers: { Authorization: `Bearer ${server.projects[0]?.secret}`, "Content-Type": "application/json" },
      body: JSON.stringify({ subject: "There" }),
    })
    await page.keyboard.press("Control+s")
    await page.getByRole("dialog", { name: "Changed elsewhere meanwhile" }).waitFor()
  }))

test("unsaved changes of a campaign and of a new segment survive a reload", () =>
  visit({ path: null }, async ({ page, server }) => {
    const { post } = callsTo(server)
    await post("/contacts", { email: "ada@acme.test", data: { plan: "pro" } })
    const { data } = await post("/campaigns", {
      name: "June",
      subject: "News",
      body: "<p>Hello</p>",
      from: "hello@shop.test",
      audienceType: "ALL",
    })
    await page.goto(`${server.url}/app/campaigns/${data.id}`)
    await page.getByLabel("Subject").fill("News of June")
    await page.reload()
    await page.getByLabel("Subject").waitFor()
    expect(await page.getByLabel("Subject").inputValue()).toBe("News of June")

    const condition = all(filter("data.plan", "equals", "pro"))
    const { id } = await post("/segments", { name: "Pros", condition })
    await page.goto(`${server.url}/app/segments/${id}`)
    await page.getByRole("combobox", { name: "Value" }).fill("free")
    await page.reload()
    const value = page.getByRole("combobox", { name: "Value" })
    await value.waitFor()
    expect(await value.inputValue()).toBe("free")
  }))

test("a page that a newer version of the server would replace asks before unsaved changes are lost", () =>
  visit({ path: null, allowed: /ERR_FAILED/ }, async ({ page, server }) => {
    const { id } = await callsTo(server).addTemplate({ name: "Receipt" })
    await page.goto(`${server.url}/app/templates/${id}`)
    await page.getByLabel("Subject").pressSequentially("Not saved")
    await updateServer(page)
    await page.getByText("99.0.0").waitFor()
    await page.getByText("The server was updated.").waitFor()
    const question = page.waitForEvent("dialog")
    await page.evaluate(() => void setTimeout(() => location.reload(), 50))
    const asked = await question
    expect(asked.type()).toBe("beforeunload")
    await asked.dismiss()
    expect(await page.getByLabel("Subject").inputValue()).toContain("Not saved")
  }))

test("a discarded draft is not restored", () =>
  visit({ path: null }, async ({ page, server }) => {
    const { id } = await callsTo(server).addTemplate({})
    await page.goto(`${server.url}/app/templates/${id}`)
    await page.getByLabel("Subject").fill("Given up")
    await page.getByRole("link", { name: "Inbox" }).click()
    await page.getByRole("button", { name: "Leave" }).click()
    await page.getByRole("heading", { name: "Waiting for your first mail" }).waitFor()
    await page.goto(`${server.url}/app/templates/${id}`)
    await page.getByLabel("Subject").waitFor()
    expect(await page.getByLabel("Subject").inputValue()).toBe("Thank you, {{firstName ?? friend}}")
  }))

test("sample data is stored for its template only", () =>
  visit({ path: null }, async ({ page, server }) => {
    const { addTemplate, addContacts } = callsTo(server)
    await addContacts(1)
    const [one, other] = [await addTemplate({ name: "One" }), await addTemplate({ name: "Other" })]
    const open = (id: string) => page.goto(`${server.url}/app/templates/${id}`)
    await open(one.id)
    await page.getByRole("button", { name: "Filled for p001@example.com" }).click()
    await page.getByText("JSON data", { exact: true }).click()
    await page.getByLabel("Preview data as JSON").fill('{ "firstName": "Grace" }')
    await page.frameLocator("iframe").getByText("Hello Grace").waitFor()
    await open(other.id)
    await page.frameLocator("iframe").getByText("Hello friend").waitFor()
    await open(one.id)
    await page.frameLocator("iframe").getByText("Hello Grace").waitFor()
  }))

test("a campaign is previewed for a subscribed member of its audience, with its preheader", () =>
  visit({ path: null }, async ({ page, server }) => {
    const { post, get } = callsTo(server)
    for (const [name, plan, subscribed] of [
      ["Ada", "pro", true],
      ["Bo", "pro", false],
      ["Cy", "free", true],
    ] as const)
      await post("/contacts", { email: `${name}@acme.test`, subscribed, data: { firstName: name, plan } })
    const { id: segmentId } = await post("/segments", {
      name: "Pros",
      condition: all(filter("data.plan", "equals", "pro")),
    })
    const { data } = await post("/campaigns", {
      name: "June",
      subject: "News",
      body: "<p>Hello {{firstName}}</p>",
      from: "hello@shop.test",
      audienceType: "SEGMENT",
      segmentId,
    })
    await page.goto(`${server.url}/app/campaigns/${data.id}`)
    await page.frameLocator("iframe").getByText("Hello Ada").waitFor()
    await page.getByLabel("Preheader").fill("For {{firstName}} & friends")
    await page.keyboard.press("Control+s")
    await page.getByText("Saved just now").waitFor()
    expect((await get(`/campaigns/${data.id}`)).data.body).toMatch(
      /^<div style="display:none[^"]*">For {{firstName}} &amp; friends<\/div>\n<p>Hello/,
    )
  }))

test("a copy or a deletion that comes late leaves alone what is typed elsewhere by then", () =>
  visit({ path: null }, async ({ page, server }) => {
    const { addTemplate, post } = callsTo(server)
    const { id } = await addTemplate({ name: "Here" })
    const elsewhere = await addTemplate({ name: "Elsewhere" })
    const segment = await post("/segments", { name: "VIPs", condition: all(filter("email", "contains", "acme")) })
    const subject = page.getByLabel("Subject")
    const holdNext = async (path: string) => {
      const held = Promise.withResolvers<() => Promise<void>>()
      await page.route(path, (route) => held.resolve(() => route.continue()), { times: 1 })
      return held.promise
    }

    await page.goto(`${server.url}/app/templates/${id}`)
    await page.getByRole("button", { name: "Template actions" }).click()
    const copied = holdNext("**/duplicate")
    await page.getByRole("menuitem", { name: "Duplicate" }).click()
    const copy = await copied
    await page.getByRole("button", { name: "All templates" }).click()
    await page.getByRole("link", { name: "Elsewhere" }).click()
    await page.waitForURL(`**/${elsewhere.id}`)
    await subject.fill("Typed meanwhile")
    await copy()
    await page.getByText("The copy is there: Here (Copy)").waitFor()
    expect(await subject.inputValue()).toBe("Typed meanwhile")

    await page.goto(`${server.url}/app/segments/${segment.id}`)
    await page.getByRole("button", { name: "Segment actions" }).click()
    await page.getByRole("menuitem", { name: "Delete" }).click()
    const removed = holdNext(`**/segments/${segment.id}`)
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
    const remove = await removed
    await moveTo(page, new URL(page.url()).pathname.replace(/segments.*/, `templates/${elsewhere.id}`))
    await subject.waitFor()
    const answered = page.waitForResponse(`**/segments/${segment.id}`)
    await subject.fill("Typed again")
    await remove()
    await answered
    // The next frame would show another page.
    await page.evaluate(() => new Promise((shown) => requestAnimationFrame(() => setTimeout(shown))))
    expect(await subject.inputValue()).toBe("Typed again")
  }))
