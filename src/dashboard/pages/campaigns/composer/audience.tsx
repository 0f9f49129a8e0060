import { Anchor, NativeSelect, Radio } from "@mantine/core"
import { Link } from "wouter"
import { Notice } from "../../../ui/empty-state.tsx"
import { AudiencePane } from "../../segments/audience/audience-pane.tsx"
import { useAudience } from "../../segments/audience/use-audience.ts"
import { ConditionBuilder } from "../../segments/builder/condition-builder.tsx"
import { addTo, newRule } from "../../segments/condition/draft.ts"
import { useSegments } from "../../segments/queries.ts"
import { type AudienceType, audienceTypes, type Campaign } from "../api.ts"
import { sayRecipients } from "../words.ts"
import styles from "./composer.module.css"
import type { CampaignDraft } from "./use-campaign-draft.ts"

const choices: Readonly<Record<AudienceType, { name: string; about: string }>> = {
  ALL: { name: "Everybody", about: "All contacts of the project" },
  SEGMENT: { name: "A segment", about: "Whoever is in it when sending starts" },
  FILTERED: { name: "Those who match conditions", about: "For this campaign only" },
}

/** Whom the campaign is for, and how many those are. */
export function Audience({ campaign, draft }: { campaign: Campaign; draft: CampaignDraft }) {
  const { fields, conditions, edit } = draft
  const filtered = fields.audienceType === "FILTERED"
  const audience = useAudience(filtered ? conditions.condition : null)
  const faults = draft.condition.length > 0 ? draft.condition : audience.faults

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
              faults={new Map([...(draft.audience ? conditions.lacking : []), ...conditions.faultsOf(faults)])}
            />
          ))}
        {draft.audience && (
          <p className={styles.trouble} role="alert">
            {draft.audience}
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
          state={audience}
          waiting={conditions.condition === null ? (draft.lacking ?? "") : null}
          onAll={null}
        />
      ) : (
        <aside className={styles.total} aria-label="Recipients">
          <h2>Recipients now</h2>
          {draft.isDirty ? (
            <p className={styles.quiet}>Counted when the draft is saved.</p>
          ) : (
            <p className={styles.number} role="status">
              <strong>{campaign.totalRecipients.toLocaleString("en")}</strong>
              <span>{sayRecipients(campaign).replace(/^\S+ /, "")}</span>
            </p>
          )}
          <p className={styles.quiet}>They are counted again when sending starts.</p>
        </aside>
      )}
    </>
  )
}

function SegmentChoice({ campaign, draft: { fields, edit } }: { campaign: Campaign; draft: CampaignDraft }) {
  const segments = useSegments()
  const known = segments.data ?? []
  const isGone = fields.segmentId !== null && segments.isSuccess && !known.some(({ id }) => id === fields.segmentId)
  if (segments.isSuccess && known.length === 0)
    return (
      <p className={styles.rule}>
        There is no segment yet.{" "}
        <Anchor component={Link} href="/segments/new">
          Make one
        </Anchor>
        , or use conditions here.
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
