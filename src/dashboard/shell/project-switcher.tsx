import { Menu, TextInput, UnstyledButton } from "@mantine/core"
import { IconPlus, IconSearch, IconSelector } from "@tabler/icons-react"
import { type KeyboardEvent, useState } from "react"
import type { Project } from "../api/instance.ts"
import { useSession, useSwitchProject } from "../context/session.ts"
import { Initial } from "../frame/initial.tsx"
import { openNewProject } from "../parts/new-project/open-new-project.ts"
import { MenuEntry } from "../ui/menu-entry.tsx"
import styles from "./project-switcher.module.css"

/** The number of projects from which they can be searched. */
const worthSearching = 6

/** Shows the current project; switches to another, last used first, or creates a new one. */
export function ProjectSwitcher({ onGo }: { onGo?: (() => void) | undefined }) {
  const { config, project, projects } = useSession()
  const change = useSwitchProject()
  const [text, setText] = useState("")
  const isSearchable = projects.length >= worthSearching
  if (config.sandbox && projects.length === 1) return null
  const wanted = text.trim().toLowerCase()
  const shown = projects.filter(({ name }) => name.toLowerCase().includes(wanted))
  const go = (id: string) => {
    onGo?.()
    if (id !== project.id) change(id)
  }
  return (
    <Menu
      position="bottom-start"
      width={232}
      onClose={() => setText("")}
      trapFocus
      // It would take the focus before the search field.
      withInitialFocusPlaceholder={!isSearchable}
    >
      <Menu.Target>
        <UnstyledButton className="ms-switcher" aria-label={`Project ${project.name}, switch`}>
          <Initial name={project.name} />
          <span className="ms-switched">{project.name}</span>
          <IconSelector size={16} stroke={1.6} className="ms-chevron" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {isSearchable ? (
          <TextInput
            className={styles.search}
            size="sm"
            aria-label="Search projects"
            placeholder="Search projects"
            data-autofocus
            leftSection={<IconSearch size={15} stroke={1.7} />}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => onSearchKey(event, shown, go)}
          />
        ) : (
          <Menu.Label>Projects</Menu.Label>
        )}
        <div className={styles.projects}>
          <Menu.RadioGroup value={project.id} onChange={go}>
            {shown.map(({ id, name, disabled }) => (
              <Menu.RadioItem key={id} value={id} closeMenuOnClick>
                <span className={styles.entry}>
                  <span className="ms-switched">{name}</span>
                  {disabled && <span className={styles.note}>disabled</span>}
                </span>
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          {shown.length === 0 && <p className={styles.none}>No project goes by that name.</p>}
        </div>
        {!config.sandbox && (
          <>
            <Menu.Divider />
            <MenuEntry icon={IconPlus} run={openNewProject}>
              New project
            </MenuEntry>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Enter chooses the first match; keys other than arrows are handled by the field, not by the menu. */
function onSearchKey(event: KeyboardEvent, shown: readonly Project[], go: (id: string) => void): void {
  if (event.key.startsWith("Arrow") || event.key === "Escape" || event.key === "Tab") return
  event.stopPropagation()
  if (event.key !== "Enter") return
  event.preventDefault()
  const first = shown[0]
  if (first) go(first.id)
}
