import { nilId } from "../kernel/ids.ts"
import type { JsonObject } from "../kernel/json.ts"
import type { AccountLinkRef, Links, PageKind } from "./links.ts"
import type { Template } from "./render/index.ts"

/** The variables that are links, with the hosted page of each (contract A3.4, A7.4). */
export const linkVariables = {
  unsubscribeUrl: "unsubscribe",
  subscribeUrl: "subscribe",
  manageUrl: "manage",
} as const satisfies Record<string, PageKind>

/**
 * The stored variables with those of the recipient's links (contract A3.4) that the templates use, because each costs a
 * signature. A message without contact has none, and one of the service itself at most an account link.
 */
export function withLinks(
  variables: JsonObject,
  templates: readonly Template[],
  links: Pick<Links, "page" | "account">,
  { contactId, id, projectId }: { contactId: string | null; id: string; projectId: string },
): JsonObject {
  if (projectId === nilId) return withAccountLink(variables, links)
  if (contactId === null) return variables
  const complete = { ...variables }
  for (const [name, kind] of Object.entries(linkVariables))
    if (templates.some((template) => template.uses(name))) complete[name] = links.page(kind, contactId, id)
  return complete
}

/** Only messages of the service itself have such a link; the senders choose the variables of other messages. */
function withAccountLink(variables: JsonObject, links: Pick<Links, "account">): JsonObject {
  const { kind, id } = (variables.link ?? {}) as Partial<AccountLinkRef>
  return kind === undefined || id === undefined ? variables : { ...variables, link: links.account(kind, id) }
}

/** Whether a body or text contains an unsubscribe link, which adds List-Unsubscribe to the mail (contract A7.1.1). */
export const offersUnsubscribe = (body: Template): boolean => body.uses("unsubscribeUrl") || body.uses("manageUrl")
