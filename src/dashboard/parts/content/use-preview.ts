import { useDebouncedValue } from "@mantine/hooks"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { ApiError } from "../../api/http.ts"
import { type SyntaxFault, syntaxFaultOf } from "../../api/refusal.ts"
import type { Template } from "../../api/templates.ts"
import { type Preview, previewTemplate } from "../../api/templates.ts"
import type { Data } from "../../api/types.ts"
import { useSession } from "../../context/session.ts"
import { readJson } from "../data/json-text.ts"

/** The values for a preview. */
export type PreviewFor =
  | { readonly by: "contact"; readonly contact: { readonly id: string; readonly email: string } | null }
  | { readonly by: "json"; readonly text: string }

export interface PreviewSettings {
  readonly for: PreviewFor
  /** `""` for the locale of the contact or the project. */
  readonly locale: string
}

/** The pause in typing before a request, and the interval of retries while the server does not answer. Both in ms. */
const pause = 300
const retryPause = 2_000
export const atFirst: PreviewSettings = { for: { by: "contact", contact: null }, locale: "" }

export function isSettings(value: unknown): value is PreviewSettings {
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

type Content = Pick<Template, "subject" | "body" | "text" | "type" | "fromName">

/** The content rendered by the server like a mail, soon after each change. */
export function usePreview(content: Content, settings: PreviewSettings, ready: boolean) {
  const { project } = useSession()
  const target = settings.for
  const data = jsonOf(target)
  const request = {
    subject: content.subject,
    body: content.body,
    text: content.text,
    type: content.type,
    ...(content.fromName ? { fromName: content.fromName } : {}),
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
    retry: (_failures, error) => isSilence(error),
    retryDelay: retryPause,
    gcTime: 10_000,
    staleTime: 2_000,
  })
  // while content cannot be rendered, the last valid preview stays
  const lastGood = useRef<Preview>(undefined)
  useEffect(() => {
    if (query.data) lastGood.current = query.data
  }, [query.data])
  // during retries the query has no error yet
  const failure = query.error ?? query.failureReason
  // who is signed out is asked to sign in, over this page
  const error = failure instanceof ApiError && failure.status === 401 ? null : failure
  const syntax: SyntaxFault | null = syntaxFaultOf(error)
  const missingContact = error instanceof ApiError && error.status === 404
  return { preview: query.data ?? lastGood.current, error, syntax, missingContact }
}

const isSilence = (error: Error): boolean => error instanceof ApiError && error.status === 0
