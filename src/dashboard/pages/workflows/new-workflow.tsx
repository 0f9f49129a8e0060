import { NativeSelect, TextInput } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { useState } from "react"
import { useLocation } from "wouter"
import { type FaultTexts, refusalOf } from "../../api/refusal.ts"
import { createWorkflow, type Workflow } from "../../api/workflows.ts"
import { asNew, createdNotice } from "../../context/just-created.ts"
import { useSession } from "../../context/session.ts"
import { EventPicker } from "../../parts/events/event-picker.tsx"
import { defaultSender } from "../../parts/new-mail/default-sender.ts"
import { useTemplates } from "../../queries/templates.ts"
import { useChange } from "../../queries/use-change.ts"
import { refetchWorkflow } from "../../queries/workflows.ts"
import { DialogActions } from "../../ui/dialog-actions.tsx"
import { Form } from "../../ui/form.tsx"
import { modals } from "../../ui/modals.ts"
import { recipes } from "./recipes/recipes.ts"

export const openNewWorkflow = (recipeId: string | null): void =>
  void modals.openForm({
    title: "New workflow",
    size: 500,
    children: <NewWorkflow recipeId={recipeId} />,
  })

const newest = { search: "", type: null, sort: "updatedAt", dir: "desc", page: 1, pageSize: 1 } as const
const fields = ["name", "eventName", "from", "fromName"]

/** Creates a workflow, empty or from a recipe, and opens it. */
function NewWorkflow({ recipeId }: { recipeId: string | null }) {
  const { config, project } = useSession()
  const [, go] = useLocation()
  const like = useTemplates(newest).data?.data[0]
  const [chosen, setChosen] = useState(recipeId ?? "")
  const recipe = recipes.find(({ id }) => id === chosen)
  const [typedName, setName] = useState<string | null>(null)
  const [typedEvent, setEvent] = useState<string | null>(null)
  const [typedFrom, setFrom] = useState<string | null>(null)
  const [faults, setFaults] = useState<FaultTexts>({})
  const name = typedName ?? recipe?.name ?? ""
  const eventName = typedEvent ?? recipe?.eventName ?? ""
  const from = typedFrom ?? defaultSender(like, config)

  const creation = useChange({
    send: async (projectId): Promise<Workflow> => {
      const start = { name: name.trim(), eventName: eventName.trim() }
      if (!recipe) return createWorkflow(projectId, start)
      const { createFromRecipe } = await import("./recipes/create.ts")
      return createFromRecipe(projectId, recipe, { ...start, from, fromName: like?.fromName ?? project.name })
    },
    failed: (cause) => setFaults(refusalOf(cause, { fields }).faults),
    async done(client, projectId, created, _input, isThere) {
      if (isThere) modals.closeAll()
      await refetchWorkflow(client, projectId, created.id)
      if (!isThere) notifications.show({ message: createdNotice(created) })
      else go(`/workflows/${created.id}`, recipe ? {} : asNew)
    },
  })
  const submit = () => {
    const missing = {
      ...(name.trim() === "" ? { name: "Give it a name." } : {}),
      ...(eventName.trim() === "" ? { eventName: "Which event starts it?" } : {}),
      ...(recipe && from.trim() === "" ? { from: "Who sends its mails?" } : {}),
    }
    setFaults(missing)
    if (Object.keys(missing).length === 0) void creation.run()
  }
  return (
    <Form onSubmit={submit}>
      <NativeSelect
        label="Begin with"
        description={recipe?.about ?? "Only the start; you add the steps."}
        inputWrapperOrder={["label", "input", "description", "error"]}
        data={[
          { value: "", label: "An empty workflow" },
          { group: "Recipes", items: recipes.map(({ id, name }) => ({ value: id, label: name })) },
        ]}
        value={chosen}
        onChange={(event) => setChosen(event.currentTarget.value)}
      />
      <TextInput
        label="Name"
        placeholder="Welcome series"
        attributes={{ input: { dir: "auto" } }}
        data-autofocus
        value={name}
        error={faults.name ?? faults.other}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <EventPicker
        label="Starts with the event"
        description="Everybody this happens to goes through it, once it is on."
        placeholder="signup"
        value={eventName}
        error={faults.eventName}
        onChange={setEvent}
      />
      {recipe && (
        <TextInput
          label="Its mails come from"
          description="A template is made for each mail; you fill them in."
          type="email"
          placeholder="hello@example.com"
          value={from}
          error={faults.from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
      )}
      <DialogActions loading={creation.isRunning}>Create workflow</DialogActions>
    </Form>
  )
}
