import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { getTemplate } from "../../../api.ts"
import { useUnsaved } from "../../../shell/leave-guard.ts"
import { useSession } from "../../../shell/session.tsx"
import { ruleOn } from "../../../ui/elsewhere.tsx"
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
  /** Resolves to whether it is saved now. Asks before it overwrites what was saved elsewhere meanwhile. */
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

/** What must be sent to make the template what the fields say. */
function changesTo(template: Template, fields: TemplateFields): Partial<TemplateFields> {
  const stored = fieldsOf(template)
  const changed = names.filter((name) => sent(name, fields) !== sent(name, stored))
  return Object.fromEntries(changed.map((name) => [name, sent(name, fields)]))
}

const noRefusal: Pick<TemplateDraft, "faults" | "syntax"> = { faults: {}, syntax: null }

/** A template as it stands in the editor, apart from the one that is stored until it is saved. */
export function useDraft(template: Template): TemplateDraft {
  const { project } = useSession()
  const client = useQueryClient()
  const [began, setBegan] = useState(template)
  const [changes, setChanges] = useState<Partial<TemplateFields>>({})
  const [refusal, setRefusal] = useState(noRefusal)
  const [saving, setSaving] = useState(false)
  const fields = { ...fieldsOf(began), ...changes }
  const isDirty = Object.keys(changesTo(began, fields)).length > 0
  useUnsaved(isDirty, (path) => path === `/app/templates/${template.id}`)

  // what is saved elsewhere is shown, unless something was changed here
  if (began !== template && !isDirty) {
    setBegan(template)
    setChanges({})
  }

  /** Makes the stored version the one to go on from, with what is changed of it. */
  const goOnFrom = (stored: Template, left: (now: Partial<TemplateFields>) => Partial<TemplateFields>) => {
    keepTemplate(client, project.id, stored)
    setBegan(stored)
    setChanges(left)
    setRefusal(noRefusal)
  }

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
      if (!isDirty || saving) return !isDirty
      setSaving(true)
      try {
        const stored = await getTemplate(project.id, template.id)
        const ruling = await ruleOn(began, stored, "template")
        if (ruling === "load") goOnFrom(stored, () => ({}))
        if (ruling !== "save") return false
        const saved = await changeTemplate(project.id, template.id, changesTo(stored, fields))
        // what was typed while the request was under way stays changed
        goOnFrom(saved, (now) => (now === changes ? {} : now))
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
