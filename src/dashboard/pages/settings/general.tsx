import { Button, Checkbox, NativeSelect, Radio, Stack, TextInput } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { useRef, useState } from "react"
import { useRouter } from "wouter"
import { changeProject, type Tracking } from "../../api/projects.ts"
import { type FaultTexts, refusalOf } from "../../api/refusal.ts"
import { valuesOf } from "../../api/types.ts"
import { useUnsaved } from "../../context/leave-guard.ts"
import { mayManage, useSession } from "../../context/session.ts"
import { cacheProject } from "../../queries/projects.ts"
import { useChange } from "../../queries/use-change.ts"
import form from "../../ui/form.module.css"
import { useSaveKey } from "../../ui/save.tsx"
import { Section, SectionNote, Sections } from "../../ui/section.tsx"
import { languageName, languages } from "./languages.ts"

const trackingModes: Readonly<Record<Tracking, { name: string; text: string }>> = {
  ENABLED: {
    name: "All mail",
    text: "Opens and clicks are counted in every mail: links lead through this server, and an invisible picture is added.",
  },
  MARKETING_ONLY: {
    name: "Marketing mail only",
    text: "Campaigns are counted; receipts, password links and other transactional mail leave as you wrote them.",
  },
  DISABLED: {
    name: "Nothing",
    text: "Mail leaves as you wrote it. You see what bounced, and what a provider reports as delivered, but not what was opened or clicked.",
  },
}

const fields = ["name", "language", "tracking", "publicResubscribe", "postalAddress"] as const

/** The settings of the project except its keys; read-only for a MEMBER. */
export default function General() {
  const { project } = useSession()
  const { base } = useRouter()
  const { name, language, tracking, publicResubscribe } = project
  const stored = { name, language, tracking, publicResubscribe, postalAddress: project.postalAddress ?? "" }
  const [changed, setChanged] = useState<Partial<typeof stored>>({})
  const [faults, setFaults] = useState<FaultTexts>({})
  const saving = useRef<HTMLButtonElement>(null)
  // what was typed by somebody who may not save it any more is not what the project has
  const disabled = !mayManage(project) || project.disabled
  const shown = disabled ? stored : { ...stored, ...changed }
  const isDirty =
    !disabled && (Object.keys(changed) as (keyof typeof changed)[]).some((key) => changed[key] !== stored[key])
  useUnsaved(
    isDirty,
    (path) => path === `${base}/settings`,
    () => false,
  )
  const change = useChange({
    // only what was edited here: the rest may have been changed elsewhere
    send: (projectId) => {
      const { name, postalAddress, ...others } = changed
      return changeProject(projectId, {
        ...others,
        ...(name !== undefined && { name: name.trim() }),
        ...(postalAddress !== undefined && { postalAddress: postalAddress.trim() || null }),
      })
    },
    done(client, _projectId, saved) {
      cacheProject(client, saved)
      // what was edited during the request stays an unsaved change
      const isSent = ([key, value]: [string, unknown]): boolean => changed[key as keyof typeof changed] === value
      setChanged((now) => Object.fromEntries(Object.entries(now).filter((edit) => !isSent(edit))))
      notifications.show({ message: "Saved", autoClose: 2500 })
    },
    failed: (cause) => setFaults(refusalOf(cause, { fields }).faults),
  })
  const edit = (part: Partial<typeof stored>) => {
    setChanged({ ...changed, ...part })
    setFaults({})
  }
  const save = () => {
    if (shown.name.trim() === "") setFaults({ name: "A project has a name." })
    else if (isDirty) {
      setFaults({})
      void change.run()
    }
  }
  useSaveKey(save)
  return (
    <Sections>
      <Section title="Project" text="The name is also the sender's name of mail that has none.">
        <div className={form.form}>
          <TextInput
            label="Name"
            maxLength={100}
            disabled={disabled}
            value={shown.name}
            error={faults.name}
            onChange={(event) => edit({ name: event.currentTarget.value })}
          />
          <NativeSelect
            label="Language"
            description="Of the footer of mail and the pages behind its links, unless a contact has a language of its own."
            disabled={disabled}
            value={shown.language}
            error={faults.language}
            data={[...new Set([...languages, stored.language])].map((value) => ({
              value,
              label: languageName(value),
            }))}
            onChange={(event) => edit({ language: event.currentTarget.value })}
          />
          <TextInput
            label="Postal address"
            description="The last line of marketing mail. Some countries ask for it, for example the United States."
            placeholder="Acme Inc., 1 Main Street, Springfield"
            maxLength={200}
            disabled={disabled}
            value={shown.postalAddress}
            error={faults.postalAddress}
            onChange={(event) => edit({ postalAddress: event.currentTarget.value })}
          />
        </div>
      </Section>
      <Section title="Tracking" text="In which mail opens and clicks are counted, from the next mail on.">
        <Radio.Group
          aria-label="Tracking"
          value={shown.tracking}
          error={faults.tracking}
          onChange={(value) => {
            const mode = valuesOf(trackingModes).find((one) => one === value)
            if (mode) edit({ tracking: mode })
          }}
        >
          <Stack gap="md">
            {valuesOf(trackingModes).map((mode) => (
              <Radio
                key={mode}
                value={mode}
                disabled={disabled}
                label={trackingModes[mode].name}
                description={trackingModes[mode].text}
                styles={{ description: { fontSize: "0.75rem", lineHeight: 1.5 } }}
              />
            ))}
          </Stack>
        </Radio.Group>
      </Section>
      <Section title="Public key" text="It stands in web pages, so anybody can use it.">
        <Checkbox
          label="It may resubscribe people who have unsubscribed"
          description="Without this, only the secret key or the person can."
          styles={{ description: { fontSize: "0.75rem", lineHeight: 1.5 } }}
          disabled={disabled}
          checked={shown.publicResubscribe}
          error={faults.publicResubscribe}
          onChange={(event) => edit({ publicResubscribe: event.currentTarget.checked })}
        />
      </Section>
      <Section>
        {disabled ? (
          <SectionNote>
            {project.disabled
              ? "Nothing can be changed while the project is disabled."
              : "The owner and the admins of this project can change these settings."}
          </SectionNote>
        ) : (
          <div className={form.actions} data-start>
            {/* not disabled, for it would lose the focus when it has saved */}
            <Button
              ref={saving}
              loading={change.isRunning}
              data-disabled={!isDirty}
              aria-disabled={!isDirty}
              onClick={save}
            >
              Save
            </Button>
            {isDirty && (
              <Button
                variant="default"
                onClick={() => {
                  setChanged({})
                  saving.current?.focus()
                }}
              >
                Discard
              </Button>
            )}
            {faults.other && (
              <p className={form.failed} role="alert">
                {faults.other}
              </p>
            )}
          </div>
        )}
      </Section>
    </Sections>
  )
}
