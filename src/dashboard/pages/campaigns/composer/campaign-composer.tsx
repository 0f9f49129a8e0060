import { notifications } from "@mantine/notifications"
import { IconCopy, IconDeviceFloppy, IconMail, IconSend, IconUsers } from "@tabler/icons-react"
import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { useSearchParams } from "wouter"
import type { Campaign } from "../../../api/campaigns.ts"
import { useCommands } from "../../../context/commands.tsx"
import { useDeparture } from "../../../context/leave-guard.ts"
import { useReturn } from "../../../context/return-focus.tsx"
import { useSession } from "../../../context/session.ts"
import editor from "../../../parts/content/content-editor.module.css"
import { ContentEditor } from "../../../parts/content/content-editor.tsx"
import { useSide } from "../../../parts/content/side-choice.tsx"
import { usePreviewSettings } from "../../../parts/content/use-preview-settings.ts"
import { hasBegun } from "../../../queries/campaigns.ts"
import { lazyPart, openOnDemand } from "../../../ui/on-demand.tsx"
import { saveKey, useSaveKey } from "../../../ui/save.tsx"
import { useCampaignActions } from "../use-campaign-actions.tsx"
import { useCampaignDraft } from "./campaign-draft.ts"
import styles from "./composer.module.css"
import { ComposerBar, type Part } from "./composer-bar.tsx"
import { readerOf } from "./reader.ts"

const Audience = lazyPart(() => import("./audience.tsx"))
const openSend = openOnDemand(
  () => import("./send-dialog.tsx"),
  (dialog, campaign: Campaign) => dialog.openSend(campaign),
)
const openTest = openOnDemand(
  () => import("./test-dialog.tsx"),
  (dialog, campaign: Campaign) => dialog.openTest(campaign),
)

/** Warns of unsaved changes when a scheduled campaign starts, because it is sent without them. */
function useWarningWhenBegun({ id, name }: Campaign, isDirty: boolean): void {
  const client = useQueryClient()
  const projectId = useSession().project.id
  const latest = useRef({ isDirty, name })
  useEffect(() => {
    latest.current = { isDirty, name }
  })
  useEffect(
    () => () => {
      if (!latest.current.isDirty || !hasBegun(client, projectId, id)) return
      const message = `${latest.current.name} began before they were saved: it goes out as it was.`
      notifications.show({ title: "Your last changes did not go out", message, color: "red", autoClose: false })
    },
    [client, projectId, id],
  )
}

/** A campaign before it is sent: content, audience and time. */
export default function CampaignComposer({ campaign, isGone }: { campaign: Campaign; isGone: boolean }) {
  const goBack = useReturn()
  const depart = useDeparture()
  const draft = useCampaignDraft(campaign, isGone)
  useWarningWhenBegun(campaign, draft.isDirty)
  const preview = usePreviewSettings(campaign.id, readerOf(draft.content))
  const [params, setParams] = useSearchParams()
  const part: Part = params.get("part") === "audience" ? "audience" : "content"
  const setPart = (next: Part) => setParams(next === "content" ? {} : { part: next }, { replace: true })
  const { side, setSide } = useSide()
  const actions = useCampaignActions(campaign, () => void depart(() => goBack("/campaigns")))

  /** Saves the campaign first, because the stored content is sent; if that fails, the faults are shown. */
  const saved = async (then: (campaign: Campaign) => void) => {
    if (draft.lacking !== null) setPart("audience")
    const stored = await draft.save()
    if (stored) then(stored)
  }
  const save = () => void saved(() => {})
  const send = () => void saved(openSend)
  const test = () => void saved(openTest)
  useSaveKey(save)
  const one = { group: "Campaign" } as const
  useCommands([
    { ...one, id: "save", label: "Save", icon: IconDeviceFloppy, keys: [saveKey], run: save },
    { ...one, id: "send", label: "Send or schedule", icon: IconSend, run: send },
    { ...one, id: "test", label: "Send a test", icon: IconMail, run: test },
    {
      ...one,
      id: "part",
      label: part === "content" ? "Choose the audience" : "Back to the content",
      icon: IconUsers,
      run: () => setPart(part === "content" ? "audience" : "content"),
    },
    { ...one, id: "duplicate", label: "Duplicate", icon: IconCopy, run: actions.duplicate },
  ])

  return (
    <main
      className={`${editor.page} ${styles.page}`}
      data-part={part}
      data-side={(part === "content" && side) || undefined}
    >
      <ComposerBar
        campaign={campaign}
        draft={draft}
        part={part}
        onPart={setPart}
        actions={actions}
        onTest={test}
        onSend={send}
        side={side}
        onSide={setSide}
      />
      {part === "content" ? (
        <ContentEditor draft={draft} preview={preview} onWrite={() => setSide("write")} />
      ) : (
        <Audience campaign={campaign} draft={draft} />
      )}
    </main>
  )
}
