import { Button, NativeSelect, TextInput } from "@mantine/core"
import { modals } from "@mantine/modals"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useLocation } from "wouter"
import { useSession } from "../../shell/session.tsx"
import { mailTypes } from "../../wire.ts"
import { createTemplate } from "./api.ts"
import { type Faults, faultsOf } from "./faults.ts"
import styles from "./new-template.module.css"
import { keepTemplate, useTemplates } from "./queries.ts"
import { type Starter, starters } from "./starters.ts"
import { typeMeanings, typeNames } from "./types.ts"

export function openNewTemplate(): void {
  modals.open({ title: "New template", centered: true, size: 520, children: <NewTemplate /> })
}

const newest = { search: "", type: null, sort: "updatedAt", dir: "desc", page: 1, pageSize: 1 } as const

/** Creates a template from a starter and opens it. The sender is that of the template changed last. */
function NewTemplate() {
  const { config, project } = useSession()
  const client = useQueryClient()
  const [, go] = useLocation()
  const last = useTemplates(newest).data?.data[0]
  const [name, setName] = useState("")
  const [type, setType] = useState<(typeof mailTypes)[number]>("TRANSACTIONAL")
  const [typedFrom, setFrom] = useState<string | null>(null)
  const [typedFromName, setFromName] = useState<string | null>(null)
  const [starter, setStarter] = useState<Starter>(() => starters[0] as Starter)
  const [faults, setFaults] = useState<Faults>({})
  const [saving, setSaving] = useState(false)
  const from = typedFrom ?? last?.from ?? (config.sandbox ? "hello@shop.test" : "")
  const fromName = typedFromName ?? last?.fromName ?? ""

  const create = async () => {
    const missing = {
      ...(name.trim() === "" ? { name: "How shall it be called?" } : {}),
      ...(from.trim() === "" ? { from: "Who sends it?" } : {}),
    }
    setFaults(missing)
    if (Object.keys(missing).length > 0) return
    setSaving(true)
    const { subject, body } = starter
    const fields = { name: name.trim(), type, from, fromName: fromName.trim() || null, subject, body }
    try {
      const template = await createTemplate(project.id, { ...fields, description: null, replyTo: null })
      keepTemplate(client, project.id, template)
      modals.closeAll()
      go(`/templates/${template.id}`)
    } catch (cause) {
      setFaults(faultsOf(cause))
      setSaving(false)
    }
  }
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void create()
      }}
    >
      <TextInput
        label="Name"
        placeholder="Order receipt"
        data-autofocus
        value={name}
        error={faults.name ?? faults.other}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <NativeSelect
        label="Type"
        description={typeMeanings[type]}
        inputWrapperOrder={["label", "input", "description", "error"]}
        data={mailTypes.map((value) => ({ value, label: typeNames[value] }))}
        value={type}
        onChange={({ currentTarget: { value } }) => setType(mailTypes.find((known) => known === value) ?? type)}
      />
      <div className={styles.pair}>
        <TextInput
          label="From"
          type="email"
          placeholder="hello@example.com"
          value={from}
          error={faults.from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextInput
          label="Sender name"
          placeholder={project.name}
          value={fromName}
          error={faults.fromName}
          onChange={(event) => setFromName(event.currentTarget.value)}
        />
      </div>
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
      <div className={styles.actions}>
        <Button variant="default" onClick={() => modals.closeAll()}>
          Cancel
        </Button>
        <Button type="submit" loading={saving}>
          Create template
        </Button>
      </div>
    </form>
  )
}
