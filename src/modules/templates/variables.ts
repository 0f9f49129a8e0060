import type { JsonObject } from "../../kernel/json.ts"
import type { Contact } from "../contacts/index.ts"

type Addressee = Pick<Contact, "id" | "email" | "subscribed">

/**
 * The variables of a contact in a template (contract A3.4), except the links of `mail/link-variables.ts`. `visible` is the data
 * of the contact in this request, request-only values included; `context` is that of a workflow's execution (contract
 * B5.5.3).
 */
export function variablesFor(
  { id, email, subscribed }: Addressee,
  visible: JsonObject,
  locale: string,
  context?: JsonObject,
): JsonObject {
  const ofExecution = context && { event: context, workflow: context }
  return {
    ...visible,
    ...context,
    data: visible,
    ...ofExecution,
    id,
    svc_id: id,
    email,
    svc_email: email,
    subscribed,
    locale,
  }
}
