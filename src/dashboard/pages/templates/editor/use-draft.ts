import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useUnsaved } from "../../../shell/leave-guard.ts"
import { useSession } from "../../../shell/session.tsx"
import type { Template } from "../../../wire.ts"
import { changeTemplate, type TemplateFields } from "../api.ts"
import { type Faults, faultsOf, type SyntaxFault, syntaxFaultOf } from "../faults.ts"
import { keepTemplate } from "../queries.ts"

export interface TemplateDraft {
  readonly fields: TemplateFields
  readonly isDirty: boolean
  readonly saving: boolean
  /** Why it was not saved; those of a field go when it is changed. */
  readonly faults: Faults
  readonly syntax: SyntaxFault | null
  edit(part: Partial<TemplateFields>): void
  /** Resolves to whether it is saved now. */
  save(): Promise<boolean>
}

const names = ["name", "description", "subject", "body", "from", "fromName", "replyTo", "type"] as const

/** The editor knows one kind of line break. */
const fieldsOf = ({ name, description, subject, body, from, fromName, replyTo, type }: Template): TemplateFields => ({
  name,
  description,
  subject,
  body: body.replace(/\r\n?/g, "\n"),
  from,
  fromName,
  replyTo,
  type,
})

/** What is sent for a field: nothing instead of an empty text where there may be nothing. */
const sent = (name: (typeof names)[number], fields: TemplateFields) =>
  name === "description" || name === "fromName" || name === "replyTo" ? fields[name]?.trim() || null : fields[name]

/** A template as it stands in the editor, apart from the one that is stored until it is saved. */
export function useDraft(template: Template): TemplateDraft {
  const { project } = useSession()
  const client = useQueryClient()
  const [changes, setChanges] = useState<Partial<TemplateFields>>({})
  const [refusal, setRefusal] = useState<{ faults: Faults; syntax: SyntaxFault | null }>({ faults: {}, syntax: null })
  const [saving, setSaving] = useState(false)
  const stored = fieldsOf(template)
  const fields = { ...stored, ...changes }
  const changed = names.filter((name) => sent(name, fields) !== sent(name, stored))
  const isDirty = changed.length > 0
  useUnsaved(isDirty, (path) => path === `/app/templates/${template.id}`)

  return {
    fields,
    isDirty,
    saving,
    ...refusal,
    edit(part) {
      setChanges((now) => ({ ...now, ...part }))
      setRefusal(({ faults, syntax }) => {
        const left = Object.entries(faults).filter(([name]) => name !== "other" && !(name in part))
        return { faults: Object.fromEntries(left), syntax: syntax && syntax.field in part ? null : syntax }
      })
    },
    async save() {
      if (!isDirty) return true
      setSaving(true)
      try {
        const part = Object.fromEntries(changed.map((name) => [name, sent(name, fields)]))
        keepTemplate(client, project.id, await changeTemplate(project.id, template.id, part))
        // what was typed while the request was under way stays changed
        setChanges((now) => (now === changes ? {} : now))
        setRefusal({ faults: {}, syntax: null })
        return true
      } catch (cause) {
        setRefusal({ faults: faultsOf(cause), syntax: syntaxFaultOf(cause) })
        return false
      } finally {
        setSaving(false)
      }
    },
  }
}
