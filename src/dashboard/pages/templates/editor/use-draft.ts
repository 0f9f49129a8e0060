import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useLocation } from "wouter"
import { ApiError } from "../../../api/http.ts"
import { changeTemplate, createTemplate, getTemplate, type TemplateFields } from "../../../api/templates.ts"
import type { Template } from "../../../api/wire.ts"
import { useRelease, useUnsaved } from "../../../context/leave-guard.ts"
import { useSession } from "../../../context/session.ts"
import { type Faults, faultsOf, type SyntaxFault, syntaxFaultOf } from "../../../parts/content/faults.ts"
import { ruleOn } from "../../../parts/draft/overwrite.tsx"
import { forgetTemplate, keepTemplate } from "../../../queries/templates.ts"

export interface TemplateDraft {
  readonly fields: TemplateFields
  readonly isDirty: boolean
  readonly saving: boolean
  /** The template was deleted elsewhere: what stands here can be saved as a new one only, which is then opened. */
  readonly gone: boolean
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

const orNothing = (text: string | null): string | null => text?.trim() || null

/** The fields as they are sent: nothing instead of an empty text where there may be nothing. */
const asSent = (fields: TemplateFields): TemplateFields => ({
  ...fields,
  description: orNothing(fields.description),
  fromName: orNothing(fields.fromName),
  replyTo: orNothing(fields.replyTo),
})

/** What must be sent to make the template what the fields say. */
function changesTo(template: Template, fields: TemplateFields): Partial<TemplateFields> {
  const stored = asSent(fieldsOf(template))
  const wanted = asSent(fields)
  return Object.fromEntries(names.filter((name) => wanted[name] !== stored[name]).map((name) => [name, wanted[name]]))
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
  const [gone, setGone] = useState(false)
  const [, go] = useLocation()
  const release = useRelease()
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

  const change = async (): Promise<boolean> => {
    const stored = await getTemplate(project.id, template.id)
    const ruling = await ruleOn(began, stored, "template")
    if (ruling === "load") goOnFrom(stored, () => ({}))
    if (ruling !== "save") return false
    const saved = await changeTemplate(project.id, template.id, changesTo(stored, fields))
    // what was typed while the request was under way stays changed
    goOnFrom(saved, (now) => (now === changes ? {} : now))
    return true
  }
  const createAgain = async (): Promise<boolean> => {
    const created = await createTemplate(project.id, asSent(fields))
    keepTemplate(client, project.id, created)
    release()
    go(`/templates/${created.id}`, { replace: true })
    forgetTemplate(client, project.id, template.id)
    return true
  }

  return {
    fields,
    isDirty,
    saving,
    gone,
    ...refusal,
    edit(part) {
      setChanges((now) => ({ ...now, ...part }))
      setRefusal(({ faults, syntax }) => {
        const left = Object.entries(faults).filter(([name]) => name !== "other" && !(name in part))
        return { faults: Object.fromEntries(left), syntax: syntax && syntax.field in part ? null : syntax }
      })
    },
    async save() {
      if (saving || !(isDirty || gone)) return !isDirty
      setSaving(true)
      try {
        return await (gone ? createAgain() : change())
      } catch (cause) {
        const isLost = cause instanceof ApiError && cause.status === 404
        setGone(gone || isLost)
        setRefusal(isLost ? noRefusal : { faults: faultsOf(cause), syntax: syntaxFaultOf(cause) })
        return false
      } finally {
        setSaving(false)
      }
    },
  }
}
