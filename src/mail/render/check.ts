import type { DomainError } from "../../kernel/errors.ts"
import { TemplateFault, type TemplateField, templatesError } from "./faults.ts"
import { compileTemplate, type Template, type TemplateKind } from "./template.ts"

export interface Content {
  readonly subject?: string | undefined
  readonly body?: string | undefined
  /** The text part; null when it is made from the body. */
  readonly text?: string | null | undefined
}

/** The 422 for faulty templates (contract A3.5), or undefined when all are valid. */
export function checkTemplates(
  { subject, body, text }: Content,
  compile: (source: string, kind: TemplateKind) => Template = compileTemplate,
): DomainError | undefined {
  const faultOf = (field: TemplateField, source: string | null | undefined, kind: TemplateKind) => {
    try {
      if (source !== undefined && source !== null) compile(source, kind)
      return []
    } catch (cause) {
      if (cause instanceof TemplateFault) return [[field, cause] as const]
      throw cause
    }
  }
  const [first, ...rest] = [
    ...faultOf("subject", subject, "subject"),
    ...faultOf("body", body, "html"),
    ...faultOf("text", text, "text"),
  ]
  return first && templatesError(first, ...rest)
}
