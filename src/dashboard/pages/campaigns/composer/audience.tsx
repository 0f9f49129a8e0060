import { NativeSelect, Radio } from "@mantine/core"
import { Link } from "wouter"
import { type AudienceType, audienceTypes, type Campaign } from "../../../api/campaigns.ts"
import type { MailType } from "../../../api/templates.ts"
import { AudiencePane } from "../../../parts/audience/audience-pane.tsx"
import { useAudience } from "../../../parts/audience/use-audience.ts"
import { addTo, newRule } from "../../../parts/condition/model/draft.ts"
import { useSegments } from "../../../queries/segments.ts"
import { Notice } from "../../../ui/empty-state.tsx"
import { lazyPart } from "../../../ui/on-demand.tsx"
import type { CampaignDraft } from "./campaign-draft.ts"
import styles from "./composer.module.css"
import { RecipientsPane } from "./recipients-pane.tsx"
import { useRecipients } from "./use-recipients.ts"

const ConditionBuilder = lazyPart(() => import("../../../parts/condition/builder/condition-builder.tsx"))

const choices: Readonly<Record<AudienceType, { name: string; about: string }>> = {
  ALL: { name: "Everybody", about: "All contacts of the project" },
  SEGMENT: { name: "A segment", about: "Whoever is in it when sending starts" },
  FILTERED: { name: "Those who match conditions", about: "For this campaign only" },
}

/** Chooses the audience of the campaign and shows its size. */
export default function Audience({ campaign, draft }: { campaign: Campaign; draft: CampaignDraft }) {
  const { content, conditions, refusal, edit } = draft
  const { condition: _draft, ...fields } = content
  const problem = refusal.faults.audienceType
  const filtered = fields.audienceType === "FILTERED"
  const matching = useAudience(filtered ? conditions.condition : null)
  const audience = { ...fields, audienceCondition: conditions.condition }
  const recipients = useRecipients(draft.lacking === null ? audience : null)
  const faults = refusal.condition.length > 0 ? refusal.condition : matching.faults

  const choose = (audienceType: AudienceType) => {
    edit({ audienceType })
    if (audienceType === "FILTERED" && conditions.draft.items.length === 0)
      conditions.edit(addTo(conditions.draft, conditions.draft.id, newRule()))
  }
  return (
    <>
      <section className={styles.audience} aria-label="Audience">
        <Radio.Group
          aria-label="Whom it is for"
          value={fields.audienceType}
          onChange={(value) => choose(audienceTypes.find((type) => type === value) ?? "ALL")}
        >
          <div className={styles.choices}>
            {audienceTypes.map((type) => (
              <Radio key={type} value={type} label={choices[type].name} description={choices[type].about} />
            ))}
          </div>
        </Radio.Group>
        {fields.audienceType === "SEGMENT" && <SegmentChoice campaign={campaign} draft={draft} />}
        {filtered &&
          (conditions.unreadable !== null ? (
            <Notice text={conditions.unreadable} />
          ) : (
            <ConditionBuilder
              draft={conditions.draft}
              onChange={conditions.edit}
              faults={new Map([...(problem ? conditions.lacking : []), ...conditions.faultsOf(faults)])}
            />
          ))}
        {problem && (
          <p className={styles.problem} role="alert">
            {problem}
          </p>
        )}
        <p className={styles.rule}>
          {fields.type === "TRANSACTIONAL"
            ? "Transactional mail goes to unsubscribed contacts too: for what they must know, never for news."
            : "It goes to those of them who are subscribed. Who leaves before it is their turn gets nothing."}
        </p>
      </section>
      {filtered ? (
        <AudiencePane
          state={matching}
          waiting={conditions.condition === null ? (draft.lacking ?? "") : null}
          note={formatShare(fields.type, matching.audience?.count, recipients)}
          onAll={null}
        />
      ) : (
        <RecipientsPane audience={audience} state={recipients} lacking={draft.lacking} />
      )}
    </>
  )
}

/** The share of matching contacts that get it. */
function formatShare(
  type: MailType,
  matching: number | undefined,
  { reach, isBehind }: ReturnType<typeof useRecipients>,
) {
  if (type === "TRANSACTIONAL") return "All of them get it."
  if (!reach || isBehind) return "Those of them who are subscribed get it."
  if (reach.recipients === 0) return "None of them gets it: nobody of them is subscribed."
  if (reach.recipients === matching) return "All of them are subscribed and get it."
  if (reach.recipients === 1) return "1 of them is subscribed and gets it."
  return `${reach.recipients.toLocaleString("en")} of them are subscribed and get it.`
}

function SegmentChoice({ campaign, draft: { content: fields, edit } }: { campaign: Campaign; draft: CampaignDraft }) {
  const segments = useSegments()
  const known = segments.data ?? []
  const isGone = fields.segmentId !== null && segments.isSuccess && !known.some(({ id }) => id === fields.segmentId)
  if (segments.isSuccess && known.length === 0)
    return (
      <p className={styles.rule}>
        There is no segment yet. <Link href="/segments/new">Make one</Link>, or use conditions here.
      </p>
    )
  return (
    <NativeSelect
      className={styles.segment ?? ""}
      label="Segment"
      error={isGone ? `${campaign.segment?.name ?? "The segment"} was deleted. Choose another.` : undefined}
      data={[
        ...(fields.segmentId === null || isGone ? [{ value: "", label: "Choose a segment" }] : []),
        ...known.map(({ id, name, memberCount }) => ({
          value: id,
          label: `${name} (${memberCount.toLocaleString("en")})`,
        })),
      ]}
      value={isGone ? "" : (fields.segmentId ?? "")}
      onChange={({ currentTarget: { value } }) => edit({ segmentId: value || null })}
    />
  )
}
