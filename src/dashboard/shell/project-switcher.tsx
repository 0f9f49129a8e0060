import { Menu, UnstyledButton } from "@mantine/core"
import { IconSelector } from "@tabler/icons-react"
import { useSession, useSwitchProject } from "../context/session.ts"
import styles from "./project-switcher.module.css"

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
        <Menu.RadioGroup value={project.id} onChange={change}>
          {projects.map(({ id, name }) => (
            <Menu.RadioItem key={id} value={id} closeMenuOnClick>
              {name}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}
