import { Tabs, VisuallyHidden } from "@mantine/core"
import { IconAlertTriangle } from "@tabler/icons-react"
import { useState } from "react"
import type { SyntaxFault } from "../../api/refusal.ts"
import type { Preview } from "../../api/templates.ts"
import type { Data } from "../../api/types.ts"
import { Notice } from "../../ui/empty-state.tsx"
import { lazyPart } from "../../ui/on-demand.tsx"
import { PreviewWidthControl, usePreviewWidth } from "../../ui/preview-width.tsx"
import { ScrollRegion } from "../../ui/scroll-region.tsx"
import tabs from "../../ui/tabs.module.css"
import { PreviewAs } from "./preview-as.tsx"
import { PreviewHtml } from "./preview-html.tsx"
import styles from "./preview-pane.module.css"
import type { PreviewSettings } from "./use-preview.ts"
import { hasFallback } from "./variable-paths.ts"
import type { Variable } from "./variables.ts"

const VariablesView = lazyPart(() => import("./variables-view.tsx"))

interface PreviewPaneProps {
  sender: string
  /** The source of subject and body. */
  source: string
  preview: Preview | undefined
  error: Error | null
  fault: SyntaxFault | null
  onFault(): void
  /** Whether the contact of the preview was deleted. */
  missingContact: boolean
  settings: PreviewSettings
  onSettings(settings: PreviewSettings): void
  sample: Data | null
  variables: readonly Variable[]
  onInsert(text: string): void
}

type View = "html" | "text" | "variables"
const views = { html: "Preview", text: "Text", variables: "Variables" } as const satisfies Record<View, string>

/** The preview of a template: the mail, its text, and the values of its variables. */
export function PreviewPane(props: PreviewPaneProps) {
  const { sender, source, preview, error, fault, onFault, missingContact, variables, onInsert } = props
  const [view, setView] = useState<View>("html")
  const [width, setWidth] = usePreviewWidth()
  const missing = preview?.variables.missing.filter((name) => !hasFallback(source, name)).length ?? 0
  return (
    <section className={styles.pane} aria-label="Preview">
      <Tabs
        className={styles.tabs ?? ""}
        classNames={{ tab: tabs.tab ?? "", list: tabs.list ?? "" }}
        value={view}
        onChange={(value) => setView(value === "text" || value === "variables" ? value : "html")}
        variant="none"
        keepMounted={false}
      >
        <div className={styles.bar}>
          <Tabs.List aria-label="Parts of the preview">
            {Object.entries(views).map(([name, title]) => (
              <Tabs.Tab key={name} value={name}>
                {title}
                {name === "variables" && missing > 0 && (
                  <>
                    {" "}
                    <span className={styles.badge} title={`${missing} without a value`}>
                      {missing}
                      <VisuallyHidden> without a value</VisuallyHidden>
                    </span>
                  </>
                )}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <span className={styles.gap} />
          <PreviewAs settings={props.settings} onSettings={props.onSettings} sample={props.sample} />
          {view === "html" && <PreviewWidthControl width={width} onWidth={setWidth} />}
        </div>
        {fault ? (
          <button type="button" className={styles.fault} onClick={onFault}>
            <IconAlertTriangle size={16} stroke={1.7} />
            <span>
              <strong>
                {placeOf(fault)}, column {fault.column}
              </strong>{" "}
              {fault.message}
            </span>
          </button>
        ) : (
          error && (
            <div className={styles.fault} role="alert">
              <IconAlertTriangle size={16} stroke={1.7} />
              <span>{missingContact ? "This contact is gone. Choose another one." : error.message}</span>
            </div>
          )
        )}
        <Tabs.Panel value="html" className={styles.panel ?? ""} data-old={error ? true : undefined}>
          {preview && <PreviewHtml preview={preview} sender={sender} width={width} />}
        </Tabs.Panel>
        <Tabs.Panel value="text" className={styles.panel ?? ""} data-old={error ? true : undefined}>
          {preview && (
            <ScrollRegion className={styles.text} label="Text of the mail">
              {preview.text || "The mail has no text."}
            </ScrollRegion>
          )}
        </Tabs.Panel>
        <Tabs.Panel value="variables" className={styles.panel ?? ""}>
          <VariablesView preview={preview} source={source} variables={variables} onInsert={onInsert} />
        </Tabs.Panel>
        {!preview && !error && view !== "variables" && <Notice text="Rendering" />}
      </Tabs>
    </section>
  )
}

function placeOf({ field, line }: SyntaxFault): string {
  if (field === "subject") return "Subject"
  return field === "text" ? `Plain text, line ${line}` : `Line ${line}`
}
