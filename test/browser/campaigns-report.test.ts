import { expect, test } from "bun:test"
import { callsTo } from "./calls.ts"
import { visit, withBrowser } from "./harness.ts"
import type { TestServer } from "./sandbox-server.ts"
import { trackedIn } from "./tracked.ts"

withBrowser()

const body = `<h1>News of June</h1><p><a href="https://shop.test/one">One</a> <a href="https://shop.test/two">Two</a>
<a href="{{unsubscribeUrl}}">Leave</a></p>`

/** A campaign to some contacts that has been sent; its id. */
async function sendCampaign(server: TestServer, recipients: number): Promise<string> {
  const calls = callsTo(server)
  await calls.addContacts(recipients)
  const content = { name: "June", subject: "News", body, from: "hello@shop.test", audienceType: "ALL" }
  const { data } = await calls.post("/campaigns", content)
  await calls.post(`/campaigns/${data.id}/send`, {})
  const statusNow = async () => (await calls.get(`/campaigns/${data.id}`)).data.status
  for (let status = ""; status !== "SENT"; ) status = await statusNow()
  return data.id
}

test("the report shows the mail beside its links with their clicks, and opens and clicks over the first 48 hours", () =>
  visit({ path: null }, async ({ page, server }) => {
    const calls = callsTo(server)
    const id = await sendCampaign(server, 3)
    for (const { id: email } of (await calls.get("/emails")).data) {
      const { image, links } = await trackedIn(server, email)
      await fetch(image)
      await fetch(links[1] ?? "", { redirect: "manual" })
    }
    // what comes late does not push the mails down once they are in view
    const held = Promise.withResolvers<void>()
    await page.route("**/{stats,engagement}", (route) => held.promise.then(() => route.continue()))
    await page.goto(`${server.url}/app/campaigns/${id}`)
    const mail = page.getByRole("region", { name: "Mails" }).getByRole("link").first()
    await mail.waitFor()
    expect((await mail.boundingBox())?.y).toBeGreaterThan(1200)
    held.resolve()
    await page.frameLocator("iframe").getByRole("heading", { name: "News of June" }).waitFor()
    const links = page.getByRole("table", { name: "Links" })
    await links.getByRole("row", { name: "shop.test/two 3" }).waitFor()
    // The pages of the server itself are no links of the mail.
    const shown = links.locator("tbody").getByRole("rowheader").or(links.getByRole("cell"))
    expect(await shown.allInnerTexts()).toEqual(["shop.test/two", "3", "shop.test/one", "0"])
    await page.getByRole("img", { name: "3 opens and 3 clicks so far, most of them in hour 1." }).waitFor()
    await page.getByRole("button", { name: "As a table" }).click()
    const hours = page.getByRole("region", { name: "The first 48 hours, as a table" })
    // The first hour, which is the last row.
    expect((await hours.getByRole("cell").allInnerTexts()).slice(-2)).toEqual(["3", "3"])
  }))

test("where nobody reports deliveries, their number is no 0", () =>
  visit({ path: null }, async ({ page, server }) => {
    const id = await sendCampaign(server, 2)
    await page.goto(`${server.url}/app/campaigns/${id}`)
    const figures = page.getByLabel("Figures", { exact: true })
    await figures.getByText("Delivered100%2").waitFor()
    await page.route(`**/campaigns/${id}/stats`, async (route) => {
      const answer = await route.fetch()
      const { data } = await answer.json()
      await route.fulfill({ json: { success: true, data: { ...data, deliveredCount: 0, deliveryRate: 0 } } })
    })
    await page.reload()
    await figures.getByText("Deliverednone reported").waitFor()
    const steps = page.getByRole("figure", { name: "From recipients to clicks" }).getByRole("rowheader")
    expect(await steps.allInnerTexts()).toEqual(["Recipients", "Sent", "Opened", "Clicked"])
  }))

test("on a narrow screen the mail, its links and the chart are as wide as the screen", () =>
  visit({ path: null, viewport: { width: 390, height: 800 } }, async ({ page, server }) => {
    const id = await sendCampaign(server, 1)
    await page.goto(`${server.url}/app/campaigns/${id}`)
    await page.getByRole("table", { name: "Links" }).waitFor()
    await page.getByText("No opens and no clicks so far.", { exact: true }).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  }))

test("on a narrow screen a campaign under way has its name and all of its button", () =>
  visit({ path: null, viewport: { width: 390, height: 800 } }, async ({ page, server }) => {
    const calls = callsTo(server)
    await calls.post("/contacts", { email: "defer@simulator.test" })
    const content = { name: "Restock alert", subject: "News", body, from: "hello@shop.test", audienceType: "ALL" }
    const { data } = await calls.post("/campaigns", content)
    await calls.post(`/campaigns/${data.id}/send`, {})
    await page.goto(`${server.url}/app/campaigns/${data.id}`)
    const cut = (it: HTMLElement | SVGElement) => it.scrollWidth - it.clientWidth
    expect(await page.getByRole("button", { name: "Stop", exact: true }).locator("span").last().evaluate(cut)).toBe(0)
    expect(await page.getByRole("heading", { name: "Restock alert", level: 1 }).evaluate(cut)).toBe(0)
  }))

test("while a campaign is sent, its progress counts as many mails as its figures", () =>
  visit({ path: null }, async ({ page, server }) => {
    const id = await sendCampaign(server, 3)
    const changed = (path: string, change: object) =>
      page.route(`${server.url}/campaigns/${path}`, async (route) => {
        const { data } = await (await route.fetch()).json()
        await route.fulfill({ json: { success: true, data: { ...data, ...change } } })
      })
    // the answers are from different moments
    await changed(id, { status: "SENDING", sentCount: 1 })
    await changed(`${id}/stats`, { sentCount: 2 })
    await page.goto(`${server.url}/app/campaigns/${id}`)
    await page.getByLabel("Figures", { exact: true }).getByText("Sent2").waitFor()
    expect(await page.getByLabel("Progress", { exact: true }).textContent()).toBe("2 of 3 are out")
  }))
