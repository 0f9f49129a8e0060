import { ActionIcon, Burger, Button, Menu, Tooltip } from "@mantine/core"
import { IconAdjustmentsHorizontal, IconChecks, IconDots, IconRefresh, IconTrash } from "@tabler/icons-react"
import type { ReactNode, RefObject } from "react"
import { emailStatuses } from "../../api/emails.ts"
import { type Source, sources } from "../../api/inbox.ts"
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
  onSource(source: Filter["source"]): void
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
      <header className="ms-pane-head">
        <div className="ms-pane-line">
          <Burger className={styles.burger ?? ""} size="sm" onClick={openMenu} aria-label="Open navigation" />
          <h1 className="ms-title">Inbox</h1>
          <Tooltip label={liveText[live]}>
            <span className={styles.live} data-state={live} role="img" aria-label={liveText[live]} />
          </Tooltip>
          <span className={styles.summary}>{summary}</span>
          <MoreActions {...actions} />
        </div>
        <div className="ms-pane-line">
          <SearchField
            className={styles.search}
            label="Search mail"
            placeholder="Search, from:ada, has:attachment"
            value={search}
            onChange={onSearch}
            fieldRef={searchRef}
          />
          <Filters {...props} />
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

const sourceNames: Record<Source, string> = {
  INBOUND: "Incoming",
  API: "API",
  SMTP: "SMTP",
  CAMPAIGN: "Campaign",
  WORKFLOW: "Workflow",
}

function Filters({ filter, onStatus, onSource }: Pick<ListPaneProps, "filter" | "onStatus" | "onSource">) {
  const { status, source } = filter
  const chosen = [source && sourceNames[source], status && sentenceCase(status)].filter((name) => name !== null)
  return (
    <Menu position="bottom-end" width={170}>
      <Menu.Target>
        {chosen.length > 0 ? (
          <Button className={styles.filter ?? ""} variant="light" size="xs" h={36} aria-label="Filter mail">
            {chosen.join(", ")}
          </Button>
        ) : (
          <ActionIcon variant="default" size={36} aria-label="Filter mail">
            <IconAdjustmentsHorizontal size={17} stroke={1.6} />
          </ActionIcon>
        )}
      </Menu.Target>
      <Menu.Dropdown mah="min(560px, 72dvh)" style={{ overflowY: "auto" }}>
        <Menu.Label>Source</Menu.Label>
        <Menu.RadioGroup
          value={source ?? any}
          onChange={(value) => onSource(sources.find((one) => one === value) ?? null)}
        >
          <Menu.RadioItem value={any} closeMenuOnClick>
            Any source
          </Menu.RadioItem>
          {sources.map((one) => (
            <Menu.RadioItem key={one} value={one} closeMenuOnClick>
              {sourceNames[one]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Label>Status</Menu.Label>
        <Menu.RadioGroup
          value={status ?? any}
          onChange={(value) => onStatus(emailStatuses.find((one) => one === value) ?? null)}
        >
          <Menu.RadioItem value={any} closeMenuOnClick>
            Any status
          </Menu.RadioItem>
          {emailStatuses.map((one) => (
            <Menu.RadioItem key={one} value={one} closeMenuOnClick>
              {sentenceCase(one)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}
