import { Menu, UnstyledButton } from "@mantine/core"
import { IconCheck, IconSelector } from "@tabler/icons-react"
import styles from "./project-switcher.module.css"
import { useSession, useSwitchProject } from "./session.tsx"

/** Names the project in view; with several of them it switches. */
export function ProjectSwitcher() {
  const { project, projects } = useSession()
  const change = useSwitchProject()
  if (projects.length === 1) return null
  const initial = [...project.name][0]?.toUpperCase() ?? "?"
  return (
    <Menu position="bottom-start" width={220}>
      <Menu.Target>
        <UnstyledButton className={styles.switcher ?? ""} aria-label={`Project ${project.name}, switch`}>
          <span className={styles.initial} aria-hidden="true">
            {initial}
          </span>
          <span className={styles.name}>{project.name}</span>
          <IconSelector size={16} stroke={1.6} className={styles.chevron ?? ""} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: "auto" }}>
        <Menu.Label>Projects</Menu.Label>
        {projects.map(({ id, name }) => (
          <Menu.Item
            key={id}
            role="menuitemradio"
            aria-checked={id === project.id}
            rightSection={id === project.id ? <IconCheck size={14} /> : null}
            onClick={() => change(id)}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
