import { Select } from "@mantine/core"
import { useState } from "react"
import { useLocation } from "wouter"
import { type Campaign, createCampaign } from "../../api/campaigns.ts"
import type { Template } from "../../api/templates.ts"
import { asNew } from "../../context/just-created.ts"
import { type MailStart, NewMailForm } from "../../parts/new-mail/new-mail-form.tsx"
import { starters } from "../../parts/new-mail/starters.ts"
import { useTemplateSearch } from "../../parts/templates/use-template-search.ts"
import { cacheCampaign, useCampaigns } from "../../queries/campaigns.ts"
import { useTemplates } from "../../queries/templates.ts"
import { modals } from "../../ui/modals.ts"

export function openNewCampaign(): void {
  modals.openForm({ title: "New campaign", size: 520, children: <NewCampaign /> })
}

const newest = { search: "", sort: "updatedAt", dir: "desc", page: 1, pageSize: 1 } as const

/** What a campaign can begin with. */
interface Source {
  readonly value: string
  readonly label: string
  readonly content: Pick<Campaign, "subject" | "body"> & Partial<Pick<Campaign, "text">>
}

const sourceOf = (template: Template): Source => ({
  value: template.id,
  label: template.name,
  content: { subject: template.subject, body: template.body, text: template.text },
})

const ownSources = starters.map(
  ({ id, name, about, subject, body }): Source => ({
    value: id,
    label: `${name}: ${about}`,
    content: { subject, body },
  }),
)
const letter = ownSources.find(({ value }) => value === "letter")

const optionOf = ({ value, label }: Source) => ({ value, label })

/**
 * Creates a draft from a starter or a template and opens it. The default sender is that of the last changed campaign.
 */
function NewCampaign() {
  const [, go] = useLocation()
  const lastCampaign = useCampaigns({ ...newest, status: null }).data?.data[0]
  const lastTemplate = useTemplates({ ...newest, type: null }).data?.data[0]
  const [source, setSource] = useState(letter)
  const { found, isFetching, setText } = useTemplateSearch(source?.label)
  const listed = found.map(sourceOf)
  const isListed = [...ownSources, ...listed].some(({ value }) => value === source?.value)
  const templates = source === undefined || isListed ? listed : [source, ...listed]

  const create = (projectId: string, start: MailStart) =>
    createCampaign(projectId, {
      ...start,
      description: null,
      subject: source?.content.subject ?? "",
      body: source?.content.body ?? "",
      text: source?.content.text ?? null,
      replyTo: null,
      type: "MARKETING",
      audienceType: "ALL",
      segmentId: null,
      audienceCondition: null,
    })
  const open = ({ id }: Campaign) => go(`/campaigns/${id}`, asNew)
  return (
    <NewMailForm
      about="For you and your team, never sent"
      placeholder="June news"
      like={lastCampaign ?? lastTemplate}
      verb="Create draft"
      create={create}
      cache={cacheCampaign}
      open={open}
    >
      <Select
        label="Begin with"
        searchable
        nothingFoundMessage={isFetching ? "Searching…" : "No such template"}
        data={[
          { group: "Something to fill in", items: ownSources.map(optionOf) },
          ...(templates.length > 0 ? [{ group: "A template", items: templates.map(optionOf) }] : []),
        ]}
        value={source?.value ?? null}
        comboboxProps={{ shadow: "lg" }}
        allowDeselect={false}
        onSearchChange={setText}
        onChange={(chosen) => setSource([...ownSources, ...templates].find(({ value }) => value === chosen))}
      />
    </NewMailForm>
  )
}
