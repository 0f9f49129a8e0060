import { IconPlayerPause, IconPlayerPlay, IconSearch } from "@tabler/icons-react"
import type { InstanceProject } from "../../api/instance.ts"
import { changeProject } from "../../api/projects.ts"
import { useCommands } from "../../context/commands.tsx"
import { RowMenu } from "../../list/row-menu.tsx"
import { refetchInstanceProjects, useInstanceProjects } from "../../queries/instance.ts"
import { useAccountChange } from "../../queries/use-change.ts"
import { ActionsHeader } from "../../ui/actions-header.tsx"
import { confirm } from "../../ui/confirm.tsx"
import { Notice } from "../../ui/empty-state.tsx"
import { dayTime } from "../../ui/format.ts"
import { MenuEntry } from "../../ui/menu-entry.tsx"
import { SearchField } from "../../ui/search-field.tsx"
import table from "../../ui/table.module.css"
import { useLocalSearch } from "../../ui/use-local-search.ts"
import { useNow, When } from "../../ui/when.tsx"
import styles from "./projects.module.css"

/** All projects of the instance with their volume, and whether they are enabled. */
export default function Projects() {
  const query = useInstanceProjects()
  const search = useLocalSearch(query.data ?? [], ({ name, owner }) => `${name} ${owner ?? ""}`)
  useCommands([
    {
      id: "search",
      label: "Search projects",
      group: "List",
      icon: IconSearch,
      keys: ["/"],
      run: () => search.field.fieldRef.current?.focus(),
    },
  ])
  if (!query.data)
    return query.isError ? (
      <Notice failed text={query.error.message} action="Try again" onAction={() => void query.refetch()} />
    ) : null
  return (
    <>
      <div className={styles.tools}>
        <SearchField className={styles.search} label="Search projects" placeholder="Name or owner" {...search.field} />
      </div>
      <section className={styles.scroll} aria-label="Projects">
        {query.data.length === 0 ? (
          <Notice text="There is no project yet." />
        ) : search.found.length === 0 ? (
          <Notice text="No project matches." action="Show all projects" onAction={search.clear} />
        ) : (
          <ProjectTable projects={search.found} />
        )}
      </section>
    </>
  )
}

function ProjectTable({ projects }: { projects: readonly InstanceProject[] }) {
  const now = useNow()
  return (
    <table className={`${table.table} ${styles.table}`} aria-label="Projects">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col" className={styles.number}>
            Mail sent
          </th>
          <th scope="col" className={`${styles.number} ${styles.contacts}`}>
            Contacts
          </th>
          <th scope="col">State</th>
          <th scope="col" className={styles.since}>
            Since
          </th>
          <ActionsHeader />
        </tr>
      </thead>
      <tbody>
        {projects.map((project) => (
          <tr key={project.id}>
            <td className={styles.name}>
              <span className={styles.title}>{project.name}</span>
              <span className={styles.owner}>{project.owner ?? "no owner yet"}</span>
            </td>
            <td className={styles.number}>{project.emailsSent.toLocaleString("en")}</td>
            <td className={`${styles.number} ${styles.contacts}`}>{project.contactCount.toLocaleString("en")}</td>
            <td>
              <span className={styles.state} data-off={project.disabled || undefined}>
                {stateOf(project)}
              </span>
            </td>
            <td className={`${table.quiet} ${styles.since}`}>
              <When at={project.createdAt} format={dayTime} now={now} />
            </td>
            <td className={styles.actions}>
              <Actions project={project} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const stateOf = ({ disabled, disabledReason }: InstanceProject): string =>
  !disabled ? "Active" : disabledReason === "EMAIL_REPUTATION" ? "Disabled: reputation" : "Disabled"

function Actions({ project: { id, name, disabled } }: { project: InstanceProject }) {
  const change = useAccountChange({
    send: () => changeProject(id, { disabled: !disabled }),
    title: disabled ? "Not enabled" : "Not disabled",
    done: refetchInstanceProjects,
    failed: (_cause, client) => refetchInstanceProjects(client),
  })
  const disable = () =>
    confirm({
      title: `Disable ${name}?`,
      text: "Its keys are refused and no mail leaves, also what is scheduled. Members can look, but change nothing. You can enable it again.",
      confirm: "Disable",
      onConfirm: () => void change.run(),
    })
  return (
    <RowMenu of={name} width={160}>
      {disabled ? (
        <MenuEntry icon={IconPlayerPlay} run={() => void change.run()}>
          Enable
        </MenuEntry>
      ) : (
        <MenuEntry danger icon={IconPlayerPause} run={disable}>
          Disable
        </MenuEntry>
      )}
    </RowMenu>
  )
}
