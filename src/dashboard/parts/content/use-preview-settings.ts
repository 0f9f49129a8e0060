import { useLocalStorage } from "@mantine/hooks"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import type { Contact } from "../../api/contacts.ts"
import { listContacts } from "../../api/contacts.ts"
import type { Data } from "../../api/types.ts"
import { useSession } from "../../context/session.ts"
import { atFirst, isSettings, type PreviewSettings } from "./use-preview.ts"

type Reader = Pick<Contact, "id" | "email">

/** The audience of a mail. */
export interface Audience {
  /** The identity of the audience. */
  readonly key: string
  /** Finds a recipient; undefined when there is none. */
  find(projectId: string, signal: AbortSignal): Promise<Reader | undefined>
}

const everybody: Audience = {
  key: "newest",
  async find(projectId, signal) {
    const newest = { search: "", subscribed: null, sort: "createdAt", dir: "desc", limit: 1 } as const
    return (await listContacts(projectId, newest, signal)).data[0]
  },
}

/**
 * The values of a mail's preview. The choice is stored in this browser: sample data with the mail, a contact also for
 * the project's other mails without an audience. The default is a contact of the audience, or the newest contact; it
 * does not change while the editor is open, even if contacts are created, for example by a test.
 */
export function usePreviewSettings(mailId: string, audience: Audience | null = null) {
  const { project } = useSession()
  const [ofMail, keepForMail] = useKeptSettings(mailId)
  const [ofProject, keepForProject] = useKeptSettings(project.id)
  const settings = ofMail ?? (audience ? null : ofProject) ?? atFirst
  const wantsContact = settings.for.by === "contact" && settings.for.contact === null
  const { key, find } = audience ?? everybody
  const [first, setFirst] = useState<{ readonly key: string; readonly contact: Reader }>()
  const isFound = first?.key === key
  const query = useQuery({
    queryKey: ["preview-contact", project.id, key],
    queryFn: async ({ signal }) => (await find(project.id, signal)) ?? null,
    enabled: wantsContact && !isFound,
    // the next editor starts with the then newest contact
    gcTime: 0,
  })
  if (!isFound && query.data) setFirst({ key, contact: query.data })
  const filled: PreviewSettings =
    wantsContact && first && isFound
      ? { ...settings, for: { by: "contact", contact: { id: first.contact.id, email: first.contact.email } } }
      : settings
  const setSettings = (next: PreviewSettings) => {
    keepForMail(next)
    if (!audience && next.for.by === "contact") keepForProject(next)
  }
  return { settings: filled, setSettings, ready: !wantsContact || isFound || !query.isPending, chosen: ofMail }
}

/** What a content editor needs of it. */
export interface PreviewChoice {
  readonly settings: PreviewSettings
  setSettings(settings: PreviewSettings): void
  /** Whether the values are known. */
  readonly ready: boolean
  /** What JSON data begin with, instead of the data of the shown contact. */
  readonly sample?: Data | null | undefined
}

function useKeptSettings(id: string) {
  const [kept, keep] = useLocalStorage<PreviewSettings | null>({
    key: `mailstead.preview-for.${id}`,
    defaultValue: null,
    getInitialValueInEffect: false,
  })
  return [isSettings(kept) ? kept : null, keep] as const
}
