import { Elysia } from "elysia"
import type { Engine } from "../../engine.ts"
import type { Door } from "../../http/door.ts"
import { answers } from "../../http/openapi/describe.ts"
import { pathId } from "../../http/path-id.ts"
import { type ContactPorts, contactActions } from "./actions.ts"
import { contactExample, contactSchema, presentContact } from "./wire.ts"

export type { ContactChange, ContactEvent, ContactPorts, UnsubscribeReason, Upserted } from "./actions.ts"
export { dataFaults, eventDataFaults, isReservedKey, unwrapped } from "./data.ts"
export { type Contact, contactTable } from "./table.ts"

/** Contacts: the people of a project and their custom fields. */
export const contacts = (engine: Pick<Engine, "store" | "ids">, ports: ContactPorts) => contactActions(engine, ports)
export type Contacts = ReturnType<typeof contacts>

export const contactRoutes = (contacts: Contacts, door: Door) =>
  new Elysia({ prefix: "/contacts", detail: { tags: ["Contacts"] } })
    .use(door({ accept: "member" }))
    .get(
      "/:id",
      async ({ project, params }) => presentContact(await contacts.get(project.id, pathId("Contact", params.id))),
      {
        detail: {
          operationId: "getContact",
          summary: "Get a contact",
          responses: answers(200, contactSchema, contactExample),
        },
      },
    )
