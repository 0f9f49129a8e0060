import { Button, Text } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { getWorkflow, listVersions, restoreVersion } from "../../../api/workflows.ts"
import { useSession } from "../../../context/session.ts"
import { useChange } from "../../../queries/use-change.ts"
import { refetchWorkflow } from "../../../queries/workflows.ts"
import { count, fullTime } from "../../../ui/format.ts"
import { modals } from "../../../ui/modals.ts"
import styles from "./versions.module.css"

export const openVersions = (id: string): void =>
  void modals.open({ title: "Earlier versions", size: 440, children: <Versions id={id} /> })

/** The graphs that were published; each can be taken into the draft. */
function Versions({ id }: { id: string }) {
  const projectId = useSession().project.id
  const { data, error } = useQuery({
    queryKey: ["workflow-versions", projectId, id],
    queryFn: ({ signal }) => listVersions(projectId, id, signal),
    retry: false,
  })
  const restoring = useChange({
    send: async (projectId, version: number) => {
      const { draftVersion } = await getWorkflow(projectId, id)
      await restoreVersion(projectId, id, version, draftVersion)
    },
    title: "Not restored",
    async done(client, projectId, _output, _input, isThere) {
      if (isThere) modals.closeAll()
      await refetchWorkflow(client, projectId, id)
    },
  })
  if (error) return <Text size="sm">{error.message}</Text>
  if (!data) return null
  if (data.length === 0)
    return (
      <Text size="sm" c="dimmed">
        None yet: one is kept each time a draft is published.
      </Text>
    )
  return (
    <ul className={styles.versions}>
      {data.map(({ version, steps, live, createdAt }) => (
        <li key={version}>
          <span>
            Version {version}, {count(steps, "step")}
            <small>{live ? "Runs now" : fullTime(Date.parse(createdAt))}</small>
          </span>
          <Button variant="default" size="xs" disabled={live} onClick={() => void restoring.run(version)}>
            Take into the draft
          </Button>
        </li>
      ))}
    </ul>
  )
}
