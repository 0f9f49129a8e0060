import { Button, NativeSelect, TextInput } from "@mantine/core"
import { modals } from "@mantine/modals"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useLocation } from "wouter"
import { useSession } from "../../shell/session.tsx"
import { type Faults, faultsOf } from "../templates/faults.ts"
import styles from "../templates/new-template.module.css"
import { useTemplates } from "../templates/queries.ts"
import { starters } from "../templates/starters.ts"
import { createCampaign } from "./api.ts"
import { keepCampaign, useCampaigns } from "./queries.ts"

export function openNewCampaign(): void {
  modals.open({ title: "New campaign", centered: true, size: 520, children: <NewCampaign /> })
}

const newest = { search: "", status: null, sort: "updatedAt", dir: "desc", page: 1, pageSize: 1 } as const
const templates = { search: "", type: null, sort: "updatedAt", dir: "desc", page: 1, pageSize: 100 } as const

/** Creates a draft from a starter or a template and opens it. The sender is that of the campaign changed last. */
function NewCampaign() {
  const { config, project } = useSession()
  const client = useQueryClient()
  const [, go] = useLocation()
  const last = useCampaigns(newest).data?.data[0]
  const known = useTemplates(templates).data?.data ?? []
  const [name, setName] = useState("")
  const [typedFrom, setFrom] = useState<string | null>(null)
  const [typedFromName, setFromName] = useState<string | null>(null)
  const [begin, setBegin] = useState("starter:letter")
  const [faults, setFaults] = useState<Faults>({})
  const [saving, setSaving] = useState(false)
  const from = typedFrom ?? last?.from ?? known[0]?.from ?? (config.sandbox ? "hello@shop.test" : "")
  const fromName = typedFromName ?? last?.fromName ?? ""

  const create = async () => {
    const missing = {
      ...(name.trim() === "" ? { name: "How shall it be called?" } : {}),
      ...(from.trim() === "" ? { from: "Who sends it?" } : {}),
    }
    setFaults(missing)
    if (Object.keys(missing).length > 0) return
    setSaving(true)
    const [kind, id] = begin.split(":")
    const source =
      (kind === "template" ? known.find((template) => template.id === id) : starters.find((one) => one.id === id)) ??
      starters[0]
    try {
      const campaign = await createCampaign(project.id, {
        name: name.trim(),
        description: null,
        subject: source?.subject ?? "",
        body: source?.body ?? "",
        from,
        fromName: fromName.trim() || null,
        replyTo: null,
        type: "MARKETING",
        audienceType: "ALL",
        segmentId: null,
        audienceCondition: null,
      })
      keepCampaign(client, project.id, campaign)
      modals.closeAll()
      go(`/campaigns/${campaign.id}`)
    } catch (cause) {
      setFaults(faultsOf(cause))
      setSaving(false)
    }
  }
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void create()
      }}
    >
      <TextInput
        label="Name"
        description="For you and your team, never sent"
        placeholder="June news"
        data-autofocus
        value={name}
        error={faults.name ?? faults.other}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <div className={styles.pair}>
        <TextInput
          label="From"
          type="email"
          placeholder="hello@example.com"
          value={from}
          error={faults.from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextInput
          label="Sender name"
          placeholder={project.name}
          value={fromName}
          error={faults.fromName}
          onChange={(event) => setFromName(event.currentTarget.value)}
        />
      </div>
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
      <div className={styles.actions}>
        <Button variant="default" onClick={() => modals.closeAll()}>
          Cancel
        </Button>
        <Button type="submit" loading={saving}>
          Create draft
        </Button>
      </div>
    </form>
  )
}
