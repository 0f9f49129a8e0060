import { Menu } from "@mantine/core"
import { IconCopy, IconSend, IconTrash } from "@tabler/icons-react"
import type { Template, TemplateSort } from "../../api/templates.ts"
import { LinkRow, RowTitle } from "../../list/link-row.tsx"
import list from "../../list/list-page.module.css"
import { RowMenu } from "../../list/row-menu.tsx"
import { focusBeside } from "../../list/rows.ts"
import { type Order, SortHeader } from "../../list/sort-header.tsx"
import { typeNames } from "../../parts/content/mail-types.ts"
import { ActionsHeader } from "../../ui/actions-header.tsx"
import { dayTime } from "../../ui/format.ts"
import { MenuEntry } from "../../ui/menu-entry.tsx"
import table from "../../ui/table.module.css"
import { useNow, When } from "../../ui/when.tsx"
import { openTestSend } from "./open-test-send.ts"
import styles from "./templates-page.module.css"
import { useTemplateActions } from "./use-template-actions.tsx"

const pathOf = ({ id }: Template): string => `/templates/${id}`

interface TemplateTableProps {
  templates: readonly Template[]
  view: Order<TemplateSort>
  onView(order: Order<TemplateSort>): void
}

export function TemplateTable({ templates, view, onView }: TemplateTableProps) {
  const now = useNow()
  const sorting = { view, onView }
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
          <ActionsHeader />
        </tr>
      </thead>
      <tbody>
        {templates.map((template) => (
          <LinkRow key={template.id}>
            <td className={styles.name}>
              <RowTitle href={pathOf(template)} name={template.name} note={template.description} />
            </td>
            <td className={styles.subject}>
              <span className={list.cut} dir="auto">
                {template.subject}
              </span>
            </td>
            <td>{typeNames[template.type]}</td>
            <td className={`${list.times} ${styles.changed}`}>
              <When at={template.updatedAt} now={now} format={dayTime} />
            </td>
            <td className={`${list.times} ${styles.created}`}>
              <When at={template.createdAt} now={now} format={dayTime} />
            </td>
            <td className={list.action}>
              <Actions template={template} />
            </td>
          </LinkRow>
        ))}
      </tbody>
    </table>
  )
}

function Actions({ template }: { template: Template }) {
  const { duplicate, remove } = useTemplateActions(template, () => focusBeside(pathOf(template)))
  return (
    <RowMenu of={template.name} width={200}>
      <MenuEntry icon={IconSend} run={() => openTestSend(template)}>
        Send a test…
      </MenuEntry>
      <MenuEntry icon={IconCopy} run={duplicate}>
        Duplicate
      </MenuEntry>
      <Menu.Divider />
      <MenuEntry icon={IconTrash} run={() => void remove()} danger>
        Delete
      </MenuEntry>
    </RowMenu>
  )
}
