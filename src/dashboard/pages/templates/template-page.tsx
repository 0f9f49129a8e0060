import { Loader } from "@mantine/core"
import { useDocumentTitle } from "@mantine/hooks"
import { useLocation } from "wouter"
import { ApiError } from "../../api/http.ts"
import styles from "../../list/list-page.module.css"
import { PageHead } from "../../parts/page-head.tsx"
import { useTemplate } from "../../queries/templates.ts"
import { Notice } from "../../ui/empty-state.tsx"
import { TemplateEditor } from "./editor/template-editor.tsx"

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
