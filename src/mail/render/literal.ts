import { TemplateFault, type TemplateField, templateError } from "./faults.ts"
import type { CompiledContent } from "./renderer.ts"
import { oneLine, refuseOversized, type Template, type TemplateKind } from "./template.ts"

const noVariables = { roots: new Set<string>(), paths: [], dynamic: false }

/** Content that is sent as it is, tags included. It is refused where it is longer than a template may be. */
export function literalContent(content: {
  readonly subject: string
  readonly body: string
  readonly text: string | null
}): CompiledContent {
  const fields = [["body", content.body] as const, ["text", content.text ?? ""] as const]
  for (const [field, source] of fields) {
    const fault = faultOf(source)
    if (fault) return { refusal: templateError(field satisfies TemplateField, fault) }
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

function faultOf(source: string): TemplateFault | undefined {
  try {
    refuseOversized(source)
    return undefined
  } catch (cause) {
    if (cause instanceof TemplateFault) return cause
    throw cause
  }
}
