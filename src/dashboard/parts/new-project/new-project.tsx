import { Button, TextInput } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { useState } from "react"
import { createProject } from "../../api/projects.ts"
import { faultOf } from "../../api/refusal.ts"
import { createdNotice } from "../../context/just-created.ts"
import { useSwitchProject } from "../../context/session.ts"
import { useAccountChange } from "../../queries/use-change.ts"
import styles from "../../ui/form.module.css"
import { Form } from "../../ui/form.tsx"
import { modals } from "../../ui/modals.ts"

export function openNewProject(): void {
  modals.openForm({ title: "New project", size: 420, children: <NewProject /> })
}

function NewProject() {
  const change = useSwitchProject()
  return (
    <NewProjectForm
      onCreated={(id) => {
        modals.closeAll()
        change(id)
      }}
    />
  )
}

interface NewProjectFormProps {
  /** Not called when the form was closed meanwhile. */
  onCreated(id: string): void
  button?: string
}

/** Names a project and creates it. */
export function NewProjectForm({ onCreated, button = "Create project" }: NewProjectFormProps) {
  const [name, setName] = useState("")
  const [fault, setFault] = useState<string | null>(null)
  const creation = useAccountChange({
    send: () => createProject(name.trim()),
    async done(client, _projectId, created, _input, isThere) {
      await client.invalidateQueries({ queryKey: ["projects"] })
      if (isThere) onCreated(created.id)
      else notifications.show({ message: createdNotice(created) })
    },
    failed: (cause) => setFault(faultOf(cause, "name")),
  })
  return (
    <Form
      onSubmit={() => {
        if (name.trim() === "") setFault("What is it called?")
        else void creation.run()
      }}
    >
      <TextInput
        label="Name"
        description="One project for each product or site: its contacts, templates and keys are its own."
        placeholder="Acme"
        data-autofocus
        autoFocus
        maxLength={100}
        value={name}
        error={fault}
        onChange={(event) => {
          setName(event.currentTarget.value)
          setFault(null)
        }}
      />
      <div className={styles.actions}>
        <Button type="submit" loading={creation.isRunning}>
          {button}
        </Button>
      </div>
    </Form>
  )
}
