import { useDebouncedCallback } from "@mantine/hooks"
import { useState } from "react"
import { setTemplateSample } from "../../../api/templates.ts"
import type { Data } from "../../../api/types.ts"
import type { PreviewSettings } from "../../../parts/content/use-preview.ts"
import { type PreviewChoice, usePreviewSettings } from "../../../parts/content/use-preview-settings.ts"
import { readJson, writeJson } from "../../../parts/data/json-text.ts"
import { setSample, useTemplateSample } from "../../../queries/templates.ts"
import { useChange } from "../../../queries/use-change.ts"

/** The pause in typing before sample data are saved, in ms. */
const pause = 800

/**
 * The values of a template's preview. Sample data are kept with the template, so that everybody who opens it has them,
 * unless they have chosen a contact for it in their browser, where only the choice is kept.
 */
export function useTemplatePreview(templateId: string): PreviewChoice {
  const { settings, setSettings, ready, chosen } = usePreviewSettings(templateId)
  const { data: sample, isPending } = useTemplateSample(templateId)
  const [typed, setTyped] = useState<string | null>(null)
  const { run } = useChange({
    title: "The sample data were not saved",
    send: (projectId, data: Data) => setTemplateSample(projectId, templateId, data),
    done: (client, projectId, saved) => setSample(client, projectId, templateId, saved),
  })
  const save = useDebouncedCallback(
    (text: string) => {
      const reading = readJson(text)
      if ("data" in reading) void run(reading.data)
    },
    { delay: pause, flushOnUnmount: true },
  )

  const isChosen = chosen?.for.by === "contact"
  const text = typed ?? (sample && !isChosen ? writeJson(sample) : null)
  const change = (next: PreviewSettings) => {
    if (next.for.by === "contact") {
      setTyped(null)
      return setSettings(next)
    }
    const isEdited = text !== null && next.for.text !== text
    if (next.for.text !== text) setTyped(next.for.text)
    // What JSON data begin with are those of a contact, which nobody has chosen to keep.
    if (isEdited) save(next.for.text)
    setSettings({ ...next, for: sample || isEdited ? kept : (chosen?.for ?? settings.for) })
  }
  return {
    settings: text === null ? settings : { ...settings, for: { by: "json", text } },
    setSettings: change,
    ready: isChosen ? ready : !isPending && (text !== null || ready),
    sample,
  }
}

/** The choice of the stored data: their text is not kept in the browser. */
const kept = { by: "json", text: "" } as const
