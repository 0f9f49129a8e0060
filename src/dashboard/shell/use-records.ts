import { useDebouncedValue } from "@mantine/hooks"
import { type Icon, IconSpeakerphone, IconTemplate, IconUser, IconUsersGroup } from "@tabler/icons-react"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { listCampaigns } from "../api/campaigns.ts"
import { listContacts } from "../api/contacts.ts"
import { listSegments } from "../api/segments.ts"
import { listTemplates } from "../api/templates.ts"
import { useSession } from "../context/session.ts"

/** A record that the palette found. */
export interface FoundRecord {
  readonly group: "Contacts" | "Campaigns" | "Templates" | "Segments"
  readonly id: string
  readonly name: string
  readonly note: string | null
  readonly path: string
  /** The search text. */
  readonly search: string
  readonly icon: Icon
}

/** How many of each kind are shown. */
const shown = 5
/** Shorter texts match too much. */
const shortest = 2

/** The records of the project that match a text: contacts also by their values, the others by name. */
export function useRecords(text: string): readonly FoundRecord[] {
  const projectId = useSession().project.id
  const [search] = useDebouncedValue(text.trim(), 150)
  const isSearched = search.length >= shortest
  const { data } = useQuery({
    queryKey: ["palette", projectId, search],
    queryFn: ({ signal }) => findRecords(projectId, search, signal),
    enabled: isSearched,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  })
  return isSearched && text.trim().length >= shortest ? (data ?? []) : []
}

async function findRecords(projectId: string, search: string, signal: AbortSignal): Promise<FoundRecord[]> {
  const newest = { search, sort: "createdAt", dir: "desc" } as const
  const page = { ...newest, page: 1, pageSize: shown }
  const [contacts, campaigns, templates, segments] = await Promise.all([
    listContacts(projectId, { ...newest, subscribed: null, limit: shown }, signal),
    listCampaigns(projectId, { ...page, status: null }, signal),
    listTemplates(projectId, { ...page, type: null }, signal),
    listSegments(projectId, signal),
  ])
  const wanted = search.toLowerCase()
  const found = [
    ...contacts.data.map(({ id, email }) => record("Contacts", id, email, null)),
    ...campaigns.data.map(({ id, name, subject }) => record("Campaigns", id, name, subject)),
    ...templates.data.map(({ id, name, subject }) => record("Templates", id, name, subject)),
    ...segments
      .filter(({ name }) => name.toLowerCase().includes(wanted))
      .slice(0, shown)
      .map(({ id, name }) => record("Segments", id, name, null)),
  ]
  return found.map((one) => ({ ...one, search }))
}

const icons = {
  Contacts: IconUser,
  Campaigns: IconSpeakerphone,
  Templates: IconTemplate,
  Segments: IconUsersGroup,
} as const

const record = (group: FoundRecord["group"], id: string, name: string, note: string | null) => ({
  group,
  id,
  name,
  note,
  path: `/${group.toLowerCase()}/${id}`,
  icon: icons[group],
})
