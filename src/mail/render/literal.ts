import { templateError } from "./faults.ts"
import type { CompiledContent } from "./renderer.ts"
import { oneLine, sizeFault, type Template, type TemplateKind } from "./template.ts"

const noVariables = { roots: new Set<string>(), paths: [], dynamic: false }

/** Content that is sent as it is, tags included. It is refused where it is longer than a template may be. */
export function literalContent(content: {
  readonly subject: string
  readonly body: string
  readonly text: string | null
}): CompiledContent {
  for (const field of ["body", "text"] as const) {
    const fault = sizeFault(content[field] ?? "", field === "body" ? "The HTML of a mail" : "The text of a mail")
    if (fault) return { refusal: templateError(field, fault) }
  }
  const subject = literal(oneLine(content.subject), "subject")
  const body = literal(content.body, "html")
  const text = content.text === null ? undefined : literal(content.text, "text")
  return { subject, body, text, all: text ? [subject, body, text] : [subject, body] }
}

const literal = (source: string, kind: TemplateKind): Template => ({
  kind,
  variables: noVariables,
  weight: source.length * 2,
  uses: () => false,
  render: () => source,
})
