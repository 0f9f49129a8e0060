import { ActionIcon, Burger, Button, Menu, Tooltip } from "@mantine/core"
import { IconAdjustmentsHorizontal, IconChecks, IconDots, IconRefresh, IconTrash } from "@tabler/icons-react"
import type { ReactNode, RefObject } from "react"
import { emailStatuses } from "../../api/emails.ts"
import { useOpenMenu } from "../../context/menu.ts"
import type { Filter } from "../../parts/mail-feed/cache.ts"
import type { LiveState } from "../../parts/mail-feed/live.ts"
import { sentenceCase } from "../../ui/format.ts"
import { MenuEntry } from "../../ui/menu-entry.tsx"
import { SearchField } from "../../ui/search-field.tsx"
import styles from "./list-pane.module.css"

export interface ListActions {
  refresh(): void
  allRead(): void
  /** Absent where mail cannot be deleted. */
  deleteAll?: (() => void) | undefined
}

interface ListPaneProps {
  summary: string
  live: LiveState
  search: string
  onSearch(text: string): void
  searchRef: RefObject<HTMLInputElement | null>
  filter: Filter
  onStatus(status: Filter["status"]): void
  actions: ListActions
  children: ReactNode
}

const liveText: Record<LiveState, string> = {
  connecting: "Connecting to live updates",
  live: "New mail appears by itself",
  lost: "Connection lost, trying again",
}

/** The head of the list, with search and filter, above its scrolling rows. */
export function ListPane(props: ListPaneProps) {
  const { summary, live, search, onSearch, searchRef, actions, children } = props
  const openMenu = useOpenMenu()
  return (
    <>
      <header className={styles.head}>
        <div className={styles.line}>
          <Burger className={styles.burger ?? ""} size="sm" onClick={openMenu} aria-label="Open navigation" />
          <h1 className={styles.title}>Inbox</h1>
          <Tooltip label={liveText[live]}>
            <span className={styles.live} data-state={live} role="img" aria-label={liveText[live]} />
          </Tooltip>
          <span className={styles.summary}>{summary}</span>
          <MoreActions {...actions} />
        </div>
        <div className={styles.line}>
          <SearchField
            className={styles.search}
            label="Search mail"
            placeholder="Recipient or subject"
            value={search}
            onChange={onSearch}
            fieldRef={searchRef}
          />
          <StatusFilter {...props} />
        </div>
      </header>
      <section className={styles.scroll} data-mail-list aria-label="Messages">
        {children}
      </section>
    </>
  )
}

function MoreActions({ refresh, allRead, deleteAll }: ListActions) {
  return (
    <Menu position="bottom-end" width={210}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label="Inbox actions">
          <IconDots size={18} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <MenuEntry icon={IconRefresh} run={refresh}>
          Refresh
        </MenuEntry>
        <MenuEntry icon={IconChecks} run={allRead}>
          Mark all as read
        </MenuEntry>
        {deleteAll && (
          <>
            <Menu.Divider />
            <MenuEntry icon={IconTrash} run={deleteAll} danger>
              Delete all…
            </MenuEntry>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

const any = "ANY"

function StatusFilter({ filter, onStatus }: Pick<ListPaneProps, "filter" | "onStatus">) {
  return (
    <Menu position="bottom-end" width={170}>
      <Menu.Target>
        {filter.status ? (
          <Button className={styles.filter ?? ""} variant="light" size="xs" h={36} aria-label="Filter by status">
            {sentenceCase(filter.status)}
          </Button>
        ) : (
          <ActionIcon variant="default" size={36} aria-label="Filter by status">
            <IconAdjustmentsHorizontal size={17} stroke={1.6} />
          </ActionIcon>
        )}
      </Menu.Target>
      <Menu.Dropdown mah="min(500px, 72dvh)" style={{ overflowY: "auto" }}>
        <Menu.Label>Status</Menu.Label>
        <Menu.RadioGroup
          value={filter.status ?? any}
          onChange={(value) => onStatus(emailStatuses.find((status) => status === value) ?? null)}
        >
          {[any, ...emailStatuses].map((status) => (
            <Menu.RadioItem key={status} value={status} closeMenuOnClick>
              {sentenceCase(status)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}
