import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test"
import { campaignHourTable, campaignLinkTable } from "../../src/modules/campaigns/table.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { countingCampaigns, createCampaign, oneCampaign, sendCampaign, startCampaign } from "../harness/campaigns.ts"
import { scenarios } from "../harness/scenarios.ts"
import { pathsIn, visit } from "../harness/tracking.ts"

const body = '<p><a href="https://acme.test/one">One</a> <a href="https://acme.test/two">Two</a></p>'
const one = oneCampaign()

scenarios(
  "GET /campaigns/{id}/engagement (contract B1.8.1)",
  countingCampaigns([
    {
      name: "is empty before sending starts",
      given: (it) => one.given(it, "SCHEDULED"),
      route: () => `GET /campaigns/${one.id}/engagement`,
      status: 200,
      answer: { success: true, data: { links: [], hasMoreLinks: false, hours: [] } },
    },
    ...one.unknown("GET /campaigns/{id}/engagement"),
  ]),
  { seed: one.seed },
)

let it: TestApp
let id: string
beforeAll(async () => {
  it = await startTestApp()
  await one.seed(it)
})
afterAll(() => it.close())
beforeEach(async () => {
  id = await startCampaign(it, { body })
  await it.settle()
})

const engagement = async (of = id) => (await it.api(`GET /campaigns/${of}/engagement`)).body.data

/** The last mail of the campaign that was sent last. */
function lastMail() {
  const { html } = it.sent().at(-1) ?? { html: "" }
  return { image: pathsIn(html, "t/o")[0] ?? "", links: pathsIn(html, "t/c") }
}

async function hit(path = ""): Promise<void> {
  await visit(it, `GET ${path}`)
  await it.settle()
}

test("opens and clicks are counted in the hour that they come, repeated ones too (contract B1.8.1)", async () => {
  const { image, links } = lastMail()
  await hit(image)
  await it.advance({ hours: 5 })
  await hit(image)
  await hit(links[0])
  await hit(links[0])
  const { hours } = await engagement()
  const { sentAt } = (await it.api(`GET /campaigns/${id}`)).body.data
  expect(hours).toHaveLength(48)
  expect(hours[0]).toEqual({ startsAt: sentAt, opens: 1, clicks: 0 })
  expect(hours[5]).toMatchObject({ opens: 1, clicks: 2 })
  expect(Date.parse(hours[47].startsAt) - Date.parse(sentAt)).toBe(47 * 3_600_000)
  const others = hours.filter((_: unknown, hour: number) => hour !== 0 && hour !== 5)
  expect(others.every(({ opens, clicks }: { opens: number; clicks: number }) => opens + clicks === 0)).toBe(true)
})

test("after 48 hours clicks count for their link, and for no hour (contract B1.8.1)", async () => {
  const { links } = lastMail()
  await it.advance({ hours: 47, minutes: 59 })
  await hit(links[1])
  await it.advance({ minutes: 2 })
  await hit(links[1])
  const { links: counted, hours } = await engagement()
  expect(counted).toEqual([{ url: "https://acme.test/two", clicks: 2 }])
  expect(hours[47]).toMatchObject({ clicks: 1 })
})

test("links come with the most followed first, those of other mails apart (contract B1.8.1)", async () => {
  const mine = lastMail()
  const other = (await createCampaign(it, { body })).id
  await sendCampaign(it, other)
  await it.settle()
  await hit(lastMail().links[0])
  for (const path of [mine.links[0], mine.links[1], mine.links[1]]) await hit(path)
  expect((await engagement()).links).toEqual([
    { url: "https://acme.test/two", clicks: 2 },
    { url: "https://acme.test/one", clicks: 1 },
  ])
  expect((await engagement(other)).links).toEqual([{ url: "https://acme.test/one", clicks: 1 }])
})

test("of more than 100 links the most followed are told, and that there are more (contract B1.8.1)", async () => {
  await it.app.store.write(it.project.id, async ({ db }) => {
    const rows = Array.from({ length: 101 }, (_, clicks) => ({
      campaignId: id,
      url: `https://acme.test/${clicks}`,
      clicks,
    }))
    await db.insert(campaignLinkTable).values(rows)
  })
  const { links, hasMoreLinks } = await engagement()
  expect([links.length, links[0].clicks, links[99].clicks, hasMoreLinks]).toEqual([100, 100, 1, true])
})

test("what a contact did stays counted when the contact is deleted, unlike in the record (contract B1.1.5, B1.8.1)", async () => {
  const { image, links } = lastMail()
  await hit(image)
  await hit(links[0])
  const counted = await engagement()
  const clicked = async () => (await it.api(`GET /campaigns/${id}`)).body.data.clickedCount
  expect([await clicked(), counted.links.length]).toEqual([1, 1])
  const mails = (await it.api(`GET /emails?campaignId=${id}&status=CLICKED`)).body.data
  await it.api(`DELETE /contacts/${mails[0].contactId}`)
  await it.settle()
  expect([await clicked(), await engagement()]).toEqual([0, counted])
})

test("what was counted goes with the campaign", async () => {
  const { image, links } = lastMail()
  await hit(image)
  await hit(links[0])
  const counted = async () =>
    (await it.app.store.read.$count(campaignHourTable)) + (await it.app.store.read.$count(campaignLinkTable))
  const before = await counted()
  await it.api(`DELETE /campaigns/${id}`)
  expect(before - (await counted())).toBe(2)
  // Its mails stay, and can still be opened.
  await hit(image)
  expect(before - (await counted())).toBe(2)
})
