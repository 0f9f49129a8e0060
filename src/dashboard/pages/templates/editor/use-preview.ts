import { useDebouncedValue, useLocalStorage } from "@mantine/hooks"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { ApiError } from "../../../http.ts"
import { useSession } from "../../../shell/session.tsx"
import type { Data } from "../../../wire.ts"
import { listContacts } from "../../contacts/api.ts"
import { readJson } from "../../contacts/data/json-text.ts"
import { type Preview, previewTemplate } from "../api.ts"
import { type SyntaxFault, syntaxFaultOf } from "../faults.ts"

/** With whose values a template is filled in. */
export type PreviewFor =
  | { readonly by: "contact"; readonly contact: { readonly id: string; readonly email: string } | null }
  | { readonly by: "json"; readonly text: string }

export interface PreviewSettings {
  readonly for: PreviewFor
  /** `""` for that of the contact or the project. */
  readonly locale: string
}

const pause = 300
const atFirst: PreviewSettings = { for: { by: "contact", contact: null }, locale: "" }

/** What the preview is filled with, remembered for the project; at first the contact that came last. */
export function usePreviewSettings() {
  const { project } = useSession()
  const [kept, setSettings] = useLocalStorage<PreviewSettings>({
    key: `posthorn.preview-for.${project.id}`,
    defaultValue: atFirst,
    getInitialValueInEffect: false,
  })
  const settings = isSettings(kept) ? kept : atFirst
  const wantsContact = settings.for.by === "contact" && settings.for.contact === null
  const newest = useQuery({
    queryKey: ["newest-contact", project.id],
    queryFn: ({ signal }) =>
      listContacts(project.id, { search: "", subscribed: null, sort: "createdAt", dir: "desc", limit: 1 }, signal),
    enabled: wantsContact,
    staleTime: 60_000,
  })
  const contact = wantsContact ? newest.data?.data[0] : undefined
  const filled: PreviewSettings = contact
    ? { ...settings, for: { by: "contact", contact: { id: contact.id, email: contact.email } } }
    : settings
  return { settings: filled, setSettings, ready: !wantsContact || !newest.isPending }
}

function isSettings(value: unknown): value is PreviewSettings {
  const { for: target, locale } = (value ?? {}) as { for?: { by?: unknown; text?: unknown }; locale?: unknown }
  const knows = target?.by === "contact" || (target?.by === "json" && typeof target.text === "string")
  return knows && typeof locale === "string"
}

/** The data typed for the preview; null while it cannot be read. */
export function jsonOf(target: PreviewFor): Data | null {
  if (target.by !== "json") return {}
  const reading = readJson(target.text)
  return "data" in reading ? reading.data : null
}

/** The content as a mail of it would be, rendered by the server soon after each change. */
export function usePreview(content: { subject: string; body: string }, settings: PreviewSettings, ready: boolean) {
  const { project } = useSession()
  const target = settings.for
  const data = jsonOf(target)
  const request = {
    subject: content.subject,
    body: content.body,
    ...(target.by === "contact" && target.contact ? { contactId: target.contact.id } : {}),
    ...(target.by === "json" && data ? { data } : {}),
    ...(settings.locale ? { locale: settings.locale } : {}),
  }
  // the parts are compared, because the request is a new object each time
  const [settled] = useDebouncedValue(JSON.stringify(request), pause)
  const query = useQuery({
    queryKey: ["preview", project.id, settled],
    queryFn: ({ signal }) => previewTemplate(project.id, JSON.parse(settled), signal),
    placeholderData: keepPreviousData,
    enabled: ready && data !== null,
    retry: false,
    gcTime: 10_000,
    staleTime: 2_000,
  })
  // content that cannot be rendered leaves the last that could in view
  const lastGood = useRef<Preview>(undefined)
  useEffect(() => {
    if (query.data) lastGood.current = query.data
  }, [query.data])
  const syntax: SyntaxFault | null = syntaxFaultOf(query.error)
  const lostContact = query.error instanceof ApiError && query.error.status === 404
  return { preview: query.data ?? lastGood.current, error: query.error, syntax, lostContact }
}
