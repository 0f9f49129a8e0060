import { NativeSelect } from "@mantine/core"
import { useState } from "react"
import { useLocation } from "wouter"
import { createTemplate, type MailType, mailTypes, type Template } from "../../api/templates.ts"
import { asNew } from "../../context/just-created.ts"
import { typeMeanings, typeNames } from "../../parts/content/mail-types.ts"
import styles from "../../parts/new-mail/new-mail-form.module.css"
import { type MailStart, NewMailForm } from "../../parts/new-mail/new-mail-form.tsx"
import { type Starter, starters } from "../../parts/new-mail/starters.ts"
import { cacheTemplate, useTemplates } from "../../queries/templates.ts"
import { modals } from "../../ui/modals.ts"

export function openNewTemplate(): void {
  modals.openForm({ title: "New template", size: 520, children: <NewTemplate /> })
}

const newest = { search: "", type: null, sort: "updatedAt", dir: "desc", page: 1, pageSize: 1 } as const

/** Creates a template from a starter and opens it. The default sender is that of the last changed template. */
function NewTemplate() {
  const [, go] = useLocation()
  const last = useTemplates(newest).data?.data[0]
  const [type, setType] = useState<MailType>("TRANSACTIONAL")
  const [starter, setStarter] = useState<Starter>(() => starters[0] as Starter)

  const create = (projectId: string, start: MailStart) => {
    const { subject, body } = starter
    return createTemplate(projectId, { ...start, type, subject, body, description: null, replyTo: null })
  }
  const open = ({ id }: Template) => go(`/templates/${id}`, asNew)
  return (
    <NewMailForm
      placeholder="Order receipt"
      like={last}
      verb="Create template"
      create={create}
      cache={cacheTemplate}
      open={open}
    >
      <NativeSelect
        label="Type"
        description={typeMeanings[type]}
        inputWrapperOrder={["label", "input", "description", "error"]}
        data={mailTypes.map((value) => ({ value, label: typeNames[value] }))}
        value={type}
        onChange={({ currentTarget: { value } }) => setType(mailTypes.find((known) => known === value) ?? type)}
      />
      <fieldset className={styles.starters}>
        <legend className={styles.legend}>Begin with</legend>
        {starters.map((one) => (
          <label key={one.id} className={styles.starter}>
            <input type="radio" name="starter" checked={starter === one} onChange={() => setStarter(one)} />
            {one.name}
            <small>{one.about}</small>
          </label>
        ))}
      </fieldset>
    </NewMailForm>
  )
}
