import { ItemPage } from "../../list/item-page.tsx"
import { useTemplate } from "../../queries/templates.ts"
import { TemplateEditor } from "./editor/template-editor.tsx"

/** One template in its editor. */
export default function TemplatePage({ id }: { id: string }) {
  return (
    <ItemPage title="Templates" noun="template" path="/templates" query={useTemplate(id)}>
      {(template, isGone) => <TemplateEditor key={template.id} template={template} isGone={isGone} />}
    </ItemPage>
  )
}
