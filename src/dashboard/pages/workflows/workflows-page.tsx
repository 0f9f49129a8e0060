import { Button } from "@mantine/core"
import { IconSitemap } from "@tabler/icons-react"
import { ListPage } from "../../list/list-page.tsx"
import { useListView } from "../../list/list-view.ts"
import { useWorkflows } from "../../queries/workflows.ts"
import { openNewWorkflow, openRecipe } from "./open-new-workflow.ts"
import { recipes } from "./recipes/recipes.ts"
import { WorkflowTable } from "./workflow-table.tsx"
import styles from "./workflows-page.module.css"

const shape = { filter: "kind", values: [], sorts: ["createdAt", "updatedAt", "name"] } as const
const pageSize = 20

/** The workflows of the project, page by page. */
export function WorkflowsPage() {
  const list = useListView(shape)
  const { search, sort, dir, page: number } = list.view
  const query = useWorkflows({ search, sort, dir, page: number, pageSize })
  const page = query.data
  return (
    <ListPage
      title="Workflows"
      noun="workflow"
      list={list}
      query={query}
      page={page}
      onNew={openNewWorkflow}
      empty={{
        icon: IconSitemap,
        title: "What happens by itself",
        text: "A workflow starts when something happens to a contact, and takes them through mails, waits and branches over days. Begin with an empty one, or with one of these:",
        more: <Recipes />,
      }}
      searched="Name or description"
      filters={null}
    >
      {page && <WorkflowTable workflows={page.data} view={list.view} onView={list.change} />}
    </ListPage>
  )
}

const Recipes = () => (
  <ul className={styles.recipes} aria-label="Recipes">
    {recipes.map(({ id, name, about }) => (
      <li key={id}>
        <Button variant="default" fullWidth h="auto" py={10} justify="flex-start" onClick={() => openRecipe(id)}>
          <span className={styles.recipe}>
            <strong>{name}</strong>
            <small>{about}</small>
          </span>
        </Button>
      </li>
    ))}
  </ul>
)
