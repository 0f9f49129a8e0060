import type { DomainError } from "../../kernel/errors.ts"
import { TemplateFault, type TemplateField, templatesError } from "./faults.ts"
import { compileTemplate, type Template, type TemplateKind } from "./template.ts"

export interface Content {
  readonly subject?: string | undefined
  readonly body?: string | undefined
}

/** The 422 for faulty templates (contract A3.5), or undefined when all are valid. */
export function checkTemplates(
  { subject, body }: Content,
  compile: (source: string, kind: TemplateKind) => Template = compileTemplate,
): DomainError | undefined {
  const faultOf = (field: TemplateField, source: string | undefined, kind: TemplateKind) => {
    try {
      if (source !== undefined) compile(source, kind)
      return []
    } catch (cause) {
      if (cause instanceof TemplateFault) return [[field, cause] as const]
      throw cause
    }
  }
  const [first, ...rest] = [...faultOf("subject", subject, "subject"), ...faultOf("body", body, "html")]
  return first && templatesError(first, ...rest)
}
