import { useDebouncedCallback } from "@mantine/hooks"
import { useEffect, useRef, useState } from "react"
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
 * unless they have chosen a contact for it in their browser. There the text is kept only until it is saved.
 */
export function useTemplatePreview(templateId: string): PreviewChoice {
  const { settings, setSettings, ready, chosen } = usePreviewSettings(templateId)
  const { data: sample, isPending } = useTemplateSample(templateId)
  const [typed, setTyped] = useState(() => unsavedIn(chosen))
  const latest = useRef({ typed, settings })
  const { run } = useChange({
    title: "The sample data were not saved",
    send: (projectId, { data }: Edited) => setTemplateSample(projectId, templateId, data),
    done(client, projectId, saved, { text }) {
      setSample(client, projectId, templateId, saved)
      if (latest.current.typed === text) setSettings({ ...latest.current.settings, for: stored })
    },
  })
  const save = useDebouncedCallback(
    (text: string) => {
      const reading = readJson(text)
      if ("data" in reading) void run({ text, data: reading.data })
    },
    { delay: pause, flushOnUnmount: true },
  )
  const isUnsaved = useRef(typed !== null)
  useEffect(() => {
    if (isUnsaved.current && typed !== null) save(typed)
    isUnsaved.current = false
  }, [save, typed])

  const isChosen = chosen?.for.by === "contact"
  const text = typed ?? (sample && !isChosen ? writeJson(sample) : null)
  const change = (next: PreviewSettings) => {
    const { for: target } = next
    const isEdited = target.by === "json" && text !== null && target.text !== text
    const now = target.by === "contact" ? null : target.text === text ? typed : target.text
    setTyped(now)
    latest.current = { typed: now, settings: next }
    // The initial JSON data are those of a contact, which nobody has chosen to store.
    if (isEdited) save(target.text)
    if (target.by === "contact" || isEdited) setSettings(next)
    else setSettings({ ...next, for: sample ? stored : (chosen?.for ?? settings.for) })
  }
  return {
    settings: text === null ? settings : { ...settings, for: { by: "json", text } },
    setSettings: change,
    ready: isChosen ? ready : text !== null || (!isPending && ready),
    sample,
  }
}

interface Edited {
  readonly text: string
  readonly data: Data
}

/** The choice of the data that are stored with the template. */
const stored = { by: "json", text: "" } as const

const unsavedIn = (chosen: PreviewSettings | null): string | null =>
  chosen?.for.by === "json" && chosen.for.text !== "" ? chosen.for.text : null
