import { NativeSelect } from "@mantine/core"
import type { QueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useLocation } from "wouter"
import { type Campaign, createCampaign } from "../../api/campaigns.ts"
import { asNew } from "../../context/just-created.ts"
import { type MailStart, NewMailForm } from "../../parts/new-mail/new-mail-form.tsx"
import { starters } from "../../parts/new-mail/starters.ts"
import { cacheCampaign, useCampaigns } from "../../queries/campaigns.ts"
import { useTemplates } from "../../queries/templates.ts"
import { modals } from "../../ui/modals.ts"

export function openNewCampaign(): void {
  modals.open({ title: "New campaign", centered: true, size: 520, children: <NewCampaign /> })
}

const newest = { search: "", status: null, sort: "updatedAt", dir: "desc", page: 1, pageSize: 1 } as const
const templates = { search: "", type: null, sort: "updatedAt", dir: "desc", page: 1, pageSize: 100 } as const

/**
 * Creates a draft from a starter or a template and opens it. The default sender is that of the last changed campaign.
 */
function NewCampaign() {
  const [, go] = useLocation()
  const last = useCampaigns(newest).data?.data[0]
  const known = useTemplates(templates).data?.data ?? []
  const [begin, setBegin] = useState("starter:letter")

  const create = (projectId: string, start: MailStart) => {
    const [kind, id] = begin.split(":")
    const source =
      (kind === "template" ? known.find((template) => template.id === id) : starters.find((one) => one.id === id)) ??
      starters[0]
    return createCampaign(projectId, {
      ...start,
      description: null,
      subject: source?.subject ?? "",
      body: source?.body ?? "",
      text: (source && "text" in source ? source.text : null) ?? null,
      replyTo: null,
      type: "MARKETING",
      audienceType: "ALL",
      segmentId: null,
      audienceCondition: null,
    })
  }
  const created = (client: QueryClient, projectId: string, campaign: Campaign) => {
    cacheCampaign(client, projectId, campaign)
    go(`/campaigns/${campaign.id}`, asNew)
  }
  return (
    <NewMailForm
      about="For you and your team, never sent"
      placeholder="June news"
      like={last ?? known[0]}
      verb="Create draft"
      create={create}
      created={created}
    >
      <NativeSelect
        label="Begin with"
        data={[
          {
            group: "Something to fill in",
            items: starters.map((one) => ({ value: `starter:${one.id}`, label: `${one.name}: ${one.about}` })),
          },
          ...(known.length > 0
            ? [{ group: "A template", items: known.map((one) => ({ value: `template:${one.id}`, label: one.name })) }]
            : []),
        ]}
        value={begin}
        onChange={(event) => setBegin(event.currentTarget.value)}
      />
    </NewMailForm>
  )
}
