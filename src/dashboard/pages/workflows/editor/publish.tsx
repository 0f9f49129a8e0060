import { Button, Group, NativeSelect, Stack, Text } from "@mantine/core"
import { useState } from "react"
import { leaves, type Moves, type WorkflowDraft } from "../../../api/workflows.ts"
import { count } from "../../../ui/format.ts"
import { modals } from "../../../ui/modals.ts"
import styles from "./draft-notice.module.css"
import { type Graph, stepIn } from "./model/graph.ts"

interface PublishProps {
  stored: WorkflowDraft
  flow: Graph
  onPublish(moves: Moves): void
}

/** Asks where contacts on removed steps continue, and publishes the draft. */
export const openPublish = (props: PublishProps): void =>
  void modals.open({ title: "Publish the draft?", size: 460, children: <Publish {...props} /> })

function Publish({ stored, flow, onPublish }: PublishProps) {
  const { removed } = stored.impact
  const asked = removed.filter(({ people }) => people > 0)
  const [moves, setMoves] = useState<Moves>({})
  const nameOf = (id: string): string => stepIn(flow, id)?.name ?? ""
  const targets = flow.steps.filter(({ type }) => type !== "TRIGGER")
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {stored.impact.sentences.join(" ") || "Nobody stands on a step that changes."} Everybody else goes on where they
        are.
      </Text>
      {asked.length > 0 && (
        <div className={styles.moves}>
          {asked.map(({ stepId, name, people, goesTo }) => (
            <NativeSelect
              key={stepId}
              label={`${count(people, "contact")} on “${name}”`}
              size="sm"
              data={[
                { value: "", label: goesTo === null ? "It ends for them" : `Go on with “${nameOf(goesTo)}”` },
                { value: leaves, label: "Leave the workflow" },
                { group: "Go to", items: targets.map(({ id, name }) => ({ value: id, label: name })) },
              ]}
              value={moves[stepId] ?? ""}
              onChange={({ currentTarget: { value } }) => {
                const { [stepId]: _, ...others } = moves
                setMoves(value === "" ? others : { ...others, [stepId]: value })
              }}
            />
          ))}
        </div>
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={() => modals.closeAll()}>
          Keep editing
        </Button>
        <Button
          data-autofocus
          onClick={() => {
            modals.closeAll()
            onPublish(moves)
          }}
        >
          Publish
        </Button>
      </Group>
    </Stack>
  )
}
