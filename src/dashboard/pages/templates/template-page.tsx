import { Loader } from "@mantine/core"
import { useDocumentTitle } from "@mantine/hooks"
import { useLocation } from "wouter"
import { ApiError } from "../../http.ts"
import styles from "../../list/list-page.module.css"
import { Notice } from "../../ui/empty-state.tsx"
import { PageHead } from "../../ui/page-head.tsx"
import { TemplateEditor } from "./editor/template-editor.tsx"
import { useTemplate } from "./queries.ts"

/** One template in its editor. */
export function TemplatePage({ id }: { id: string }) {
  const { data: template, error, refetch } = useTemplate(id)
  const [, go] = useLocation()
  useDocumentTitle(`${template?.name ?? "Template"} · Mailstead`)
  if (template) return <TemplateEditor key={template.id} template={template} />
  const isGone = error instanceof ApiError && error.status === 404
  return (
    <main className={styles.page}>
      <PageHead title="Templates" />
      {isGone ? (
        <Notice
          failed
          text="This template is not here. It was deleted, or belongs to another project."
          action="All templates"
          onAction={() => go("/templates")}
        />
      ) : error ? (
        <Notice failed text={error.message} action="Try again" onAction={() => void refetch()} />
      ) : (
        <Loader m="auto" color="gray" type="dots" aria-label="Loading" />
      )}
    </main>
  )
}
