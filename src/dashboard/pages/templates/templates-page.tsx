import { IconTemplate } from "@tabler/icons-react"
import { mailTypes } from "../../api/templates.ts"
import { FilterField } from "../../list/filter-field.tsx"
import { ListPage } from "../../list/list-page.tsx"
import { useListView } from "../../list/list-view.ts"
import { typeNames } from "../../parts/content/mail-types.ts"
import { useTemplates } from "../../queries/templates.ts"
import { openNewTemplate } from "./open-new-template.ts"
import { TemplateTable } from "./template-table.tsx"

const shape = { filter: "type", values: mailTypes, sorts: ["updatedAt", "createdAt", "name"] } as const
const pageSize = 20

/** The templates of the project, page by page. */
export function TemplatesPage() {
  const list = useListView(shape)
  const query = useTemplates({ ...list.view, pageSize })
  const page = query.data
  return (
    <ListPage
      title="Templates"
      noun="template"
      list={list}
      query={query}
      page={page}
      onNew={openNewTemplate}
      empty={{
        icon: IconTemplate,
        title: "Write it once, send it often",
        text: "A template holds the subject and the HTML of a mail, with variables such as {{firstName}} in it. Programs name it when they send, and workflows send it by themselves.",
      }}
      searched="Name, note or subject"
      filters={
        <FilterField
          label="Type"
          every="Every type"
          names={typeNames}
          value={list.view.type}
          onChange={(type) => list.change({ type })}
        />
      }
    >
      {page && <TemplateTable templates={page.data} view={list.view} onView={list.change} />}
    </ListPage>
  )
}
