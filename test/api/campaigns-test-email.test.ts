import { expect } from "bun:test"
import { campaignTable } from "../../src/modules/campaigns/index.ts"
import { campaignOf, countingCampaigns, oneCampaign } from "../harness/campaigns.ts"
import { scenarios } from "../harness/scenarios.ts"

const one = oneCampaign()

scenarios(
  "POST /campaigns/{id}/test",
  countingCampaigns([
    {
      name: "refuses an address that belongs to no member of the project",
      given: (it) => one.given(it),
      route: () => `POST /campaigns/${one.id}/test`,
      body: { email: "seeded0@example.com" },
      status: 403,
      code: "FORBIDDEN",
    },
    ...one.unknown("POST /campaigns/{id}/test", { email: "ada@example.com" }),
  ]),
  { seed: one.seed },
)

const linked = '<p>{{unsubscribeUrl}} <a href="https://acme.test/page">read</a></p>'
const sandboxed = { mode: "sandbox" as const, overrides: {} }
const body = { email: "ADA@example.com" }

scenarios(
  "POST /campaigns/{id}/test in the sandbox",
  countingCampaigns([
    {
      name: "sends to anybody, with the address alone, and leaves no trace but the mail",
      given: (it) =>
        one.given(it, "DRAFT", { subject: "{{first ?? you}} {{email}} {{locale}} {{one.id}}", body: linked }),
      route: () => `POST /campaigns/${one.id}/test`,
      body,
      status: 200,
      mails: 1,
      after: async (it, answer) => {
        expect(answer.body).toEqual({ success: true, message: "The test message is on its way." })
        await it.settle()
        const { data } = (await it.api("GET /emails?to=ada@example.com")).body
        expect(data[0]).toMatchObject({
          to: "ada@example.com",
          subject: "[TEST] you ada@example.com en",
          contactId: null,
          campaignId: null,
          sourceType: "TRANSACTIONAL",
          status: "DELIVERED",
          from: "news@acme.test",
          fromName: "Acme",
        })
        const { body: mail } = await it.api(`GET /emails/${data[0].id}`)
        expect(mail.headers["X-Mailstead-Test"]).toBe("true")
        expect(Object.keys(mail.headers)).not.toContain("List-Unsubscribe")
        const raw = await it.api(`GET /emails/${data[0].id}/raw`)
        expect(raw.body).toContain("X-Mailstead-Test: true")
        expect(raw.body).toContain("https://acme.test/page")
        expect(raw.body).not.toMatch(/\/t\/[oc]\//)
        expect(await it.app.store.read.$count(campaignTable)).toBeGreaterThan(0)
        expect(await campaignOf(it, one.id)).toMatchObject({ status: "DRAFT", sentCount: 0 })
        expect((await it.api("GET /events")).body.data).toEqual([])
      },
    },
    {
      name: "fills it with the data of the contact that has the address",
      given: async (it) => {
        await it.api("POST /contacts", { body: { email: "bo@example.com", data: { first: "Bo" }, subscribed: false } })
        await one.given(it, "SENT")
      },
      route: () => `POST /campaigns/${one.id}/test`,
      body: { email: "bo@example.com" },
      status: 200,
      mails: 1,
      after: async (it) => {
        const { data } = (await it.api("GET /emails?to=bo@example.com")).body
        expect(data[0]).toMatchObject({ subject: "[TEST] Hi Bo", contactId: null })
      },
    },
    {
      name: "wants an address",
      given: (it) => one.given(it),
      route: () => `POST /campaigns/${one.id}/test`,
      body: {},
      status: 422,
      code: "VALIDATION_ERROR",
      fields: { email: "required" },
    },
    {
      name: "wants an address that is one",
      given: (it) => one.given(it),
      route: () => `POST /campaigns/${one.id}/test`,
      body: { email: "ada" },
      status: 422,
      code: "VALIDATION_ERROR",
      fields: { email: "invalid_string" },
    },
    {
      name: "refuses content that cannot be rendered",
      given: (it) =>
        one
          .given(it, "DRAFT", {
            body: "{{#each data.list}}{{#each ../data.list}}{{#each ../../data.list}}{{#each ../../../data.list}}x{{/each}}{{/each}}{{/each}}{{/each}}",
          })
          .then(async () => {
            const list = Array.from({ length: 2_000 }, (_, n) => n)
            await it.api("POST /contacts", { body: { email: "poison@example.com", data: { list } } })
          }),
      route: () => `POST /campaigns/${one.id}/test`,
      body: { email: "poison@example.com" },
      status: 422,
      code: "VALIDATION_ERROR",
      fields: { body: "custom" },
    },
    ...one.unknown("POST /campaigns/{id}/test", body),
  ]),
  { ...sandboxed, seed: one.seed },
)
