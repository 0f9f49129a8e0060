import { ActionIcon, Menu } from "@mantine/core"
import { IconCopy, IconDots, IconSend, IconTrash } from "@tabler/icons-react"
import { Link } from "wouter"
import { useSession } from "../../shell/session.tsx"
import { dayTime } from "../../ui/format.ts"
import list from "../../ui/list-page.module.css"
import { SortHeader } from "../../ui/sort-header.tsx"
import table from "../../ui/table.module.css"
import { useNow, When } from "../../ui/when.tsx"
import type { Template } from "../../wire.ts"
import type { TemplateQuery } from "./api.ts"
import styles from "./templates-page.module.css"
import { openTestSend } from "./test-send.tsx"
import { typeNames } from "./types.ts"
import { useTemplateActions } from "./use-template-actions.tsx"

interface TemplateTableProps {
  templates: readonly Template[]
  view: TemplateQuery
  onView(part: Partial<TemplateQuery>): void
}

export function TemplateTable({ templates, view, onView }: TemplateTableProps) {
  const now = useNow()
  const sorting = {
    sort: view.sort,
    dir: view.dir,
    onSort: (sort: TemplateQuery["sort"], dir: TemplateQuery["dir"]) => onView({ sort, dir }),
  }
  return (
    <table className={`${table.table} ${styles.table}`} aria-label="Templates">
      <thead>
        <tr>
          <SortHeader {...sorting} name="Name" by="name" first="asc" className={styles.name} />
          <th scope="col" className={styles.subject}>
            Subject
          </th>
          <th scope="col">Type</th>
          <SortHeader {...sorting} name="Changed" by="updatedAt" first="desc" className={styles.changed} />
          <SortHeader {...sorting} name="Created" by="createdAt" first="desc" className={styles.created} />
          <th scope="col" aria-label="Actions" />
        </tr>
      </thead>
      <tbody>
        {templates.map((template) => (
          <tr
            key={template.id}
            data-clickable
            onClick={(event) => {
              const target = event.target instanceof Element ? event.target : null
              if (target?.closest("a, button, [role=menu]") || getSelection()?.toString()) return
              event.currentTarget.querySelector("a")?.click()
            }}
          >
            <td className={styles.name}>
              <Link
                href={`/templates/${template.id}`}
                className={`${list.cut} ${list.title}`}
                data-template={template.id}
              >
                {template.name}
              </Link>
              {template.description && <span className={`${list.cut} ${list.note}`}>{template.description}</span>}
            </td>
            <td className={styles.subject}>
              <span className={list.cut}>{template.subject}</span>
            </td>
            <td>{typeNames[template.type]}</td>
            <td className={`${list.times} ${styles.changed}`}>
              <When at={template.updatedAt} now={now} say={dayTime} />
            </td>
            <td className={`${list.times} ${styles.created}`}>
              <When at={template.createdAt} now={now} say={dayTime} />
            </td>
            <td className={list.action}>
              <RowMenu template={template} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function RowMenu({ template }: { template: Template }) {
  const { project } = useSession()
  const { duplicate, remove } = useTemplateActions(template)
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${template.name}`}>
          <IconDots size={17} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {project.secret !== null && (
          <Menu.Item leftSection={<IconSend size={16} stroke={1.6} />} onClick={() => openTestSend(template)}>
            Send a test…
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconCopy size={16} stroke={1.6} />} onClick={() => void duplicate()}>
          Duplicate
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<IconTrash size={16} stroke={1.6} />} onClick={() => void remove()}>
          Delete…
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
