import { Button, Group, Radio, Stack, Text } from "@mantine/core"
import { useState } from "react"
import { count } from "../../../ui/format.ts"
import { modals } from "../../../ui/modals.ts"
import { exitName } from "./model/exits.ts"
import { type Graph, linksFrom, type Step, stepIn } from "./model/graph.ts"
import type { Removal } from "./use-steps.ts"

/**
 * Asks what to do with the steps after a removed one where that is not clear: after a branch, and if contacts are at
 * the step. Otherwise it is removed at once.
 */
export function askRemoval(graph: Graph, step: Step, people: number, remove: (removal: Removal) => void): void {
  const links = linksFrom(graph, step.id)
  if (links.length < 2 && people === 0) {
    remove({ keep: links[0]?.branch ?? null })
    return
  }
  modals.open({
    title: `Delete “${step.name}”?`,
    size: 440,
    children: <Question graph={graph} step={step} people={people} remove={remove} />,
  })
}

interface QuestionProps {
  graph: Graph
  step: Step
  people: number
  remove(removal: Removal): void
}

function Question({ graph, step, people, remove }: QuestionProps) {
  const links = linksFrom(graph, step.id)
  const [choice, setChoice] = useState(links[0] ? `keep ${links[0].branch}` : "keep")
  const nameOf = (id: string) => stepIn(graph, id)?.name ?? ""
  const submit = () => {
    modals.closeAll()
    if (choice === "branch") remove({ branch: true })
    else remove({ keep: choice === "keep" ? null : choice.slice("keep ".length) })
  }
  return (
    <Stack gap="md">
      {people > 0 && (
        <Text size="sm" c="dimmed">
          {count(people, "contact")} {people === 1 ? "stands" : "stand"} on it now. Where they go is asked once more
          when the change is published.
        </Text>
      )}
      <Radio.Group label="How it goes on" value={choice} onChange={setChoice}>
        <Stack gap={8} mt={6}>
          {links.map(({ branch, to }) => (
            <Radio
              key={branch}
              value={`keep ${branch}`}
              label={
                links.length === 1
                  ? `Go on with “${nameOf(to)}”`
                  : `Keep the way “${exitName(step, branch)}”: ${nameOf(to)}`
              }
            />
          ))}
          {links.length === 0 && <Radio value="keep" label="It ends there" />}
          {links.length > 0 && <Radio value="branch" label="Delete everything that comes after it, too" />}
        </Stack>
      </Radio.Group>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={() => modals.closeAll()}>
          Keep
        </Button>
        <Button color="red" data-autofocus onClick={submit}>
          Delete
        </Button>
      </Group>
    </Stack>
  )
}
