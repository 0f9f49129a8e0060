import { Button, Group, Text } from "@mantine/core"
import { Link } from "wouter"
import type { Campaign } from "../../api/campaigns.ts"
import { modals } from "../../ui/modals.ts"
import styles from "./in-use.module.css"

export type Use = Pick<Campaign, "id" | "name">

/** Shows the campaigns that prevent the deletion of a segment, with links. */
export function openInUse(name: string, campaigns: readonly Use[]): void {
  modals.open({
    title: "This segment is in use",
    size: 400,
    children: <InUse name={name} campaigns={campaigns} />,
  })
}

function InUse({ name, campaigns }: { name: string; campaigns: readonly Use[] }) {
  const close = () => modals.closeAll()
  return (
    <>
      <Text size="sm" c="dimmed">
        {name} cannot be deleted yet:{" "}
        {campaigns.length === 1 ? "this campaign still needs" : "these campaigns still need"} it.
      </Text>
      <ul className={styles.uses}>
        {campaigns.map((campaign) => (
          <li key={campaign.id}>
            <Link href={`/campaigns/${campaign.id}`} onClick={close}>
              {campaign.name}
            </Link>
          </li>
        ))}
      </ul>
      <Group justify="flex-end">
        <Button variant="default" data-autofocus onClick={close}>
          Close
        </Button>
      </Group>
    </>
  )
}
