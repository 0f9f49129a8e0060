import { isObject, type Json, type JsonObject } from "../../../kernel/json.ts"
import type { Renderer } from "../../../mail/render/index.ts"
import type { Contact } from "../../contacts/index.ts"
import { variablesFor } from "../../templates/index.ts"

/** Renders strings of a step's config, without HTML escaping (contract B5.4.7, B5.8.1). */
type RenderText = (source: string) => string

export type TextRenderer = Pick<Renderer, "template" | "stretch">

export interface RenderFacts {
  readonly contact: Contact
  readonly context: JsonObject
  readonly locale: string
}

/**
 * The variables are those of a mail, except the links (contract B5.5.3). All texts share the time of one message.
 * Rendering throws a RenderFault or a TemplateFault.
 */
export function textRenderer(renderer: TextRenderer, { contact, context, locale }: RenderFacts): RenderText {
  const variables = variablesFor(contact, contact.data, locale, context)
  const timed = renderer.stretch(contact.projectId)
  return (source) =>
    source.includes("{{")
      ? timed((limits) => renderer.template(source, "text").render(variables, { locale, limits }))
      : source
}

/** The value with all its strings rendered, at any depth; keys stay. */
export function renderDeep(value: unknown, render: RenderText): Json {
  if (typeof value === "string") return render(value)
  if (Array.isArray(value)) return value.map((each) => renderDeep(each, render))
  if (!isObject(value)) return value as Json
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, renderDeep(each, render)]))
}
