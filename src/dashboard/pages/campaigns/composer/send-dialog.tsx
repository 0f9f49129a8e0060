import { NativeSelect, SegmentedControl, TextInput } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { useState } from "react"
import { type Campaign, getCampaign, sendCampaign } from "../../../api/campaigns.ts"
import { useSession } from "../../../context/session.ts"
import { capturing, isCapturing } from "../../../parts/capturing.ts"
import { contentFields } from "../../../parts/content/content-fields.ts"
import { cacheCampaign, refetchCampaign } from "../../../queries/campaigns.ts"
import { useChange } from "../../../queries/use-change.ts"
import { DialogActions } from "../../../ui/dialog-actions.tsx"
import { Form } from "../../../ui/form.tsx"
import { fullTime, plannedTime } from "../../../ui/format.ts"
import { modals } from "../../../ui/modals.ts"
import { Note } from "../../../ui/note.tsx"
import { presentTime } from "../../../ui/now.ts"
import { formatRefusal } from "../faults.ts"
import { finalStateOf, formatAudience, formatNobody, formatRecipients } from "../labels.ts"
import { instantOf, ownZone, wallTimeOf, zones } from "../zoned-time.ts"
import styles from "./composer.module.css"
import { useFieldsOfNobody } from "./use-fields-of-nobody.ts"
import { useRecipients } from "./use-recipients.ts"

/** Asks for the time, shows the number of recipients, and sends. */
export function openSend(campaign: Campaign): void {
  modals.open({
    title: campaign.status === "SCHEDULED" ? "Send at another time" : "Send this campaign",
    size: 460,
    children: <Send campaign={campaign} />,
  })
}

const mostNamed = 5

function formatNames(names: readonly string[]): string {
  const more = names.length - mostNamed
  return [...names.slice(0, mostNamed), ...(more > 0 ? [`${more} more`] : [])].join(", ")
}

const hour = 60 * 60 * 1_000

/** What the user agrees to in the dialog. */
const agreedTo = [...contentFields, "audienceType", "segmentId", "audienceCondition", "scheduledFor"] as const

const isOther = (stored: Campaign, shown: Campaign): boolean =>
  agreedTo.some((name) => JSON.stringify(stored[name]) !== JSON.stringify(shown[name]))

/**
 * Changes by somebody else since it was shown. Its scheduled time does not count, because the dialog does not show it.
 */
function formatChange(stored: Campaign, shown: Campaign): string {
  const elsewhere = "in another place meanwhile"
  if (stored.scheduledFor === null || stored.scheduledFor === shown.scheduledFor)
    return `It was changed ${elsewhere}: this is how it would go out now.`
  const time = plannedTime(Date.parse(stored.scheduledFor))
  const instead = "What you choose here takes the place of that."
  return isOther({ ...stored, scheduledFor: shown.scheduledFor }, shown)
    ? `It was changed ${elsewhere}, and scheduled for ${time}. ${instead}`
    : `It was scheduled ${elsewhere}, for ${time}. ${instead}`
}

function Send({ campaign: opened }: { campaign: Campaign }) {
  const [campaign, setCampaign] = useState(opened)
  const { scheduledFor } = campaign
  const { config } = useSession()
  const [when, setWhen] = useState<"now" | "later">(scheduledFor === null ? "now" : "later")
  const [zone, setZone] = useState(ownZone)
  const [wall, setWall] = useState(() =>
    wallTimeOf(scheduledFor ? Date.parse(scheduledFor) : Math.ceil((presentTime() + hour) / hour) * hour, ownZone()),
  )
  const [fault, setFault] = useState<string | null>(null)
  const planned = opened.scheduledFor === null ? null : Date.parse(opened.scheduledFor)
  // What is shown has no seconds, and is the same in both hours where one comes twice.
  const isAsPlanned = planned !== null && wallTimeOf(planned, zone) === wall
  const at = when === "now" ? null : isAsPlanned ? planned : instantOf(wall, zone)
  const { reach: counted, isNew, error } = useRecipients(campaign)
  const reach = isNew && !error ? counted : undefined
  const unknown = useFieldsOfNobody(campaign)
  const isForNobody = when === "now" && reach?.recipients === 0

  const sending = useChange({
    /** Sends only the version that is shown, because the stored campaign may have changed since. */
    async send(projectId) {
      const stored = await getCampaign(projectId, campaign.id)
      const time = at === null ? null : new Date(at).toISOString()
      const isPlanned = stored.status === "SCHEDULED" && stored.scheduledFor === time
      // The request had succeeded, but its response was lost.
      if (isPlanned && !isOther({ ...stored, scheduledFor }, campaign)) return { stored, isSent: true }
      if (finalStateOf(stored) !== null || isOther(stored, campaign)) return { stored, isSent: false }
      return { stored: await sendCampaign(projectId, campaign.id, time), isSent: true }
    },
    failed(cause, client, projectId) {
      setFault(formatRefusal(cause))
      void refetchCampaign(client, projectId, campaign.id)
    },
    done(client, projectId, { stored, isSent }, _input, isThere) {
      cacheCampaign(client, projectId, stored)
      const finalState = finalStateOf(stored)
      if (!isSent && finalState !== null) {
        if (isThere) modals.closeAll()
        notifications.show({ message: `This campaign ${finalState} already.`, autoClose: 5_000 })
        return
      }
      if (!isSent) {
        setCampaign(stored)
        return setFault(formatChange(stored, campaign))
      }
      if (isThere) modals.closeAll()
      notifications.show({
        message:
          at !== null
            ? `It goes out on ${fullTime(at)}, your time.`
            : isCapturing(config)
              ? "Its mail is captured."
              : "It is on its way.",
        autoClose: 5_000,
      })
    },
  })
  const send = () => {
    if (when === "later" && at === null) return setFault("Which day, and what time?")
    if (at !== null && at < presentTime()) return setFault("That is in the past.")
    void sending.run()
  }
  return (
    <Form className={styles.dialog} onSubmit={send}>
      <dl className={styles.summary}>
        <dt>To</dt>
        <dd>
          <span role="status">
            {formatAudience(campaign)}:{" "}
            {reach ? (
              <strong>{formatRecipients(reach.recipients, campaign.type)}</strong>
            ) : (
              (error?.message ?? "counting…")
            )}
          </span>
        </dd>
        <dt>From</dt>
        <dd>{campaign.fromName ? `${campaign.fromName} <${campaign.from}>` : campaign.from}</dd>
        <dt>Subject</dt>
        <dd>{campaign.subject}</dd>
      </dl>
      <SegmentedControl
        aria-label="When"
        data={[
          { value: "now", label: "Now" },
          { value: "later", label: "Later" },
        ]}
        value={when}
        onChange={(value) => {
          setWhen(value === "later" ? "later" : "now")
          setFault(null)
        }}
      />
      {when === "later" && (
        <div className={styles.when}>
          <TextInput
            label="Time"
            type="datetime-local"
            value={wall}
            onChange={(event) => {
              setWall(event.currentTarget.value)
              setFault(null)
            }}
          />
          <NativeSelect
            label="Time zone"
            data={zones().map((value) => ({ value, label: value.replaceAll("_", " ") }))}
            value={zone}
            onChange={(event) => {
              setZone(event.currentTarget.value)
              setFault(null)
            }}
          />
        </div>
      )}
      {isCapturing(config) && <p className={styles.why}>{capturing}</p>}
      {isForNobody && (
        <p className={styles.why}>
          Nobody would get it now. {formatNobody(campaign.audienceType, reach.audienceSize)} You can still schedule it.
        </p>
      )}
      {unknown.length > 0 && (
        <Note>
          No contact has {unknown.length === 1 ? "the field" : "the fields"} {formatNames(unknown)}. What has no value
          prints nothing, or its fallback.
        </Note>
      )}
      {fault && (
        <p className={styles.problem} role="alert">
          {fault}
        </p>
      )}
      <DialogActions cancel="Not yet" loading={sending.isRunning} disabled={isForNobody}>
        {when === "later"
          ? "Schedule"
          : reach?.recipients
            ? `Send to ${reach.recipients.toLocaleString("en")}`
            : "Send"}
      </DialogActions>
    </Form>
  )
}
