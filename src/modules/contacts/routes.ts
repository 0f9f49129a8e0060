import { Elysia } from "elysia"
import { answers, bareRefusal, cursorAnswer, cursorQuery, refuses } from "../../http/openapi/describe.ts"
import { countIn, cursorPage, defaultLimit, maxLimit } from "../../http/page.ts"
import { pathId } from "../../http/path-id.ts"
import type { Protect } from "../../http/protect.ts"
import type { Contacts } from "./actions.ts"
import {
  contactExample,
  contactFilters,
  contactSchema,
  lookupExample,
  lookupSchema,
  upsertedExample,
  upsertedSchema,
} from "./document.ts"
import { cursorAt, cursorIn, orderIn, positionOf } from "./list/order.ts"
import {
  contactChangeBody,
  emailsIn,
  filterIn,
  lookupBody,
  newContactBody,
  newContactIn,
  patchIn,
  presentContact,
  presentUpserted,
  requireEmail,
} from "./wire.ts"

const contactAnswer = answers(200, contactSchema, contactExample)

export const contactRoutes = (contacts: Contacts, protect: Protect) =>
  new Elysia({ prefix: "/contacts", detail: { tags: ["Contacts"] } })
    .use(protect({ accept: "member" }))
    .get(
      "/",
      async ({ project, query }) => {
        const order = orderIn(query)
        const after = cursorIn(order, query)
        const limit = countIn(query.limit, defaultLimit, maxLimit)
        const { rows, total } = await contacts.list(project.id, filterIn(query), order, { after, limit: limit + 1 })
        return cursorPage(rows, {
          limit,
          total,
          cursorOf: (contact) => cursorAt(order, positionOf(order, contact)),
          present: presentContact,
        })
      },
      {
        detail: {
          operationId: "listContacts",
          summary: "List contacts",
          parameters: [...cursorQuery, ...contactFilters],
          responses: cursorAnswer(contactSchema, contactExample),
        },
      },
    )
    .post(
      "/",
      async ({ project, body, set }) => {
        const upserted = await contacts.upsert(project.id, newContactIn(body))
        set.status = upserted.isNew ? 201 : 200
        return presentUpserted(upserted)
      },
      {
        transform: ({ body }) => requireEmail(body),
        body: newContactBody,
        detail: {
          operationId: "createContact",
          summary: "Create a contact, or change the one with this address",
          responses: {
            ...answers(201, upsertedSchema, upsertedExample(true)),
            ...answers(200, upsertedSchema, upsertedExample(false)),
            ...bareRefusal("email is required."),
          },
        },
      },
    )
    .post("/lookup", ({ project, body }) => contacts.lookUp(project.id, emailsIn(body)), {
      body: lookupBody,
      detail: {
        operationId: "lookUpContacts",
        summary: "Tell which addresses are known",
        description: "For up to 500 addresses at once.",
        responses: answers(200, lookupSchema, lookupExample),
      },
    })
    .get(
      "/:id",
      async ({ project, params }) => presentContact(await contacts.get(project.id, pathId("Contact", params.id))),
      { detail: { operationId: "getContact", summary: "Get a contact", responses: contactAnswer } },
    )
    .patch(
      "/:id",
      async ({ project, params, body }) =>
        presentContact(await contacts.change(project.id, pathId("Contact", params.id), patchIn(body))),
      {
        body: contactChangeBody,
        detail: {
          operationId: "changeContact",
          summary: "Change a contact",
          description: "What is left out stays. A change of the subscription is recorded as an event.",
          responses: { ...contactAnswer, ...refuses(409) },
        },
      },
    )
    .delete(
      "/:id",
      async ({ project, params, set }) => {
        await contacts.remove(project.id, pathId("Contact", params.id))
        set.status = 204
      },
      {
        detail: {
          operationId: "deleteContact",
          summary: "Delete a contact",
          description: "For good, with its events and emails. Mail that waits is not sent.",
          responses: answers(204),
        },
      },
    )
