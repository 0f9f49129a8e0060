import { Button, Popover } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { IconBraces, IconChevronDown, IconUser } from "@tabler/icons-react"
import { lazy, openOnDemand } from "../../ui/on-demand.tsx"
import styles from "./preview-as.module.css"
import type { PreviewValuesProps } from "./preview-values.tsx"
import type { PreviewFor } from "./use-preview.ts"

const PreviewValues = lazy(() => import("./preview-values.tsx"))
/** They are there when the popover opens, because they take the focus then. */
const whenLoaded = openOnDemand(PreviewValues.load, (_loaded, open: () => void) => open())

/** Chooses the values of the preview: those of a contact, or sample data. */
export function PreviewAs(props: Omit<PreviewValuesProps, "onDone">) {
  const [opened, { open, close }] = useDisclosure(false)
  const target = props.settings.for
  const toggle = () => (opened ? close() : whenLoaded(open))
  return (
    <Popover
      opened={opened}
      onChange={(open) => !open && close()}
      position="bottom-end"
      width={340}
      trapFocus
      returnFocus
      withinPortal
    >
      <Popover.Target>
        <Button
          className={styles.target ?? ""}
          classNames={{ label: styles.label ?? "" }}
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={
            target.by === "json" ? <IconBraces size={15} stroke={1.7} /> : <IconUser size={15} stroke={1.7} />
          }
          rightSection={<IconChevronDown size={14} stroke={1.7} />}
          aria-label={`Filled for ${formatTarget(target)}`}
          onClick={toggle}
        >
          {formatTarget(target)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Fill the preview">
        <PreviewValues {...props} onDone={close} />
      </Popover.Dropdown>
    </Popover>
  )
}

const formatTarget = (target: PreviewFor): string =>
  target.by === "json" ? "JSON data" : (target.contact?.email ?? "nobody yet")
