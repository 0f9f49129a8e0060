import type { JsonObject } from "../../kernel/json.ts"
import type { PageKind } from "../../mail/links.ts"
import type { Contact } from "../contacts/index.ts"

export type Addressee = Pick<Contact, "id" | "email" | "subscribed">

/**
 * What a template sees of a contact (contract A3.4), but for the links of `linkVariables`. `visible` is its data as the
 * request at hand sees it, request-only values included.
 */
export function variablesFor({ id, email, subscribed }: Addressee, visible: JsonObject, locale: string): JsonObject {
  return { ...visible, data: visible, id, svc_id: id, email, svc_email: email, subscribed, locale }
}

/** The variables that are links, with the hosted page each leads to (contract A3.4, A7.4). */
export const linkVariables = {
  unsubscribeUrl: "unsubscribe",
  subscribeUrl: "subscribe",
  manageUrl: "manage",
} as const satisfies Record<string, PageKind>
