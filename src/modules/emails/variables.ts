import type { JsonObject } from "../../kernel/json.ts"
import type { Links } from "../../mail/links.ts"
import type { Template as Compiled } from "../../mail/render/index.ts"
import { linkVariables } from "../templates/index.ts"

/**
 * Stored variables with the recipient's links (contract A3.4), those that the templates use: each costs a signature.
 * A message without contact has none.
 */
export function withLinks(
  variables: JsonObject,
  templates: readonly Compiled[],
  links: Links,
  { contactId, id }: { contactId: string | null; id: string },
): JsonObject {
  if (contactId === null) return variables
  const complete = { ...variables }
  for (const [name, kind] of Object.entries(linkVariables))
    if (templates.some((template) => template.uses(name))) complete[name] = links.page(kind, contactId, id)
  return complete
}

/** Whether a body gives the recipient a way to leave, which puts List-Unsubscribe on the mail (contract A7.1.1). */
export const offersUnsubscribe = (body: Compiled): boolean => body.uses("unsubscribeUrl") || body.uses("manageUrl")
