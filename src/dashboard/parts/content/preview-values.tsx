import { NativeSelect, SegmentedControl } from "@mantine/core"
import { getContact } from "../../api/contacts.ts"
import type { Data } from "../../api/types.ts"
import { useSession } from "../../context/session.ts"
import { lazyPart } from "../../ui/on-demand.tsx"
import { ContactPicker } from "../contact-picker.tsx"
import { writeJson } from "../data/json-text.ts"
import styles from "./preview-as.module.css"
import type { PreviewFor, PreviewSettings } from "./use-preview.ts"

const SampleJson = lazyPart(() => import("./sample-json.tsx"))

const languages = "en nl fr hi de pt bg cs cy pl es it zh-TW zh-HK zh-CN ja sv".split(" ")
const languageNames = new Intl.DisplayNames("en", { type: "language" })

export interface PreviewValuesProps {
  settings: PreviewSettings
  onSettings(settings: PreviewSettings): void
  /** What JSON data begin with; null: a copy of the data of the shown contact. */
  sample: Data | null
  /** A contact was chosen. */
  onDone(): void
}

/** The form of the values of a preview. */
export default function PreviewValues({ settings, onSettings, sample, onDone }: PreviewValuesProps) {
  const { project } = useSession()
  const target = settings.for
  const choose = (target: PreviewFor) => onSettings({ ...settings, for: target })
  const toJson = async () => {
    if (sample) return choose({ by: "json", text: writeJson(sample) })
    const known = target.by === "contact" && target.contact
    const contact = known ? await getContact(project.id, known.id).catch(() => null) : null
    choose({ by: "json", text: writeJson(contact?.data ?? { firstName: "Ada" }) })
  }
  return (
    <div className={styles.form}>
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label="Values of"
        data={[
          { value: "contact", label: "A contact" },
          { value: "json", label: "JSON data" },
        ]}
        value={target.by}
        onChange={(value) => (value === "json" ? void toJson() : choose({ by: "contact", contact: null }))}
      />
      {target.by === "json" ? (
        <SampleJson text={target.text} onText={(text) => choose({ by: "json", text })} />
      ) : (
        <ContactPicker
          chosen={target.contact?.id}
          empty="There are no contacts yet: use JSON data."
          onChoose={(contact) => {
            choose({ by: "contact", contact })
            onDone()
          }}
        />
      )}
      <NativeSelect
        label="Language"
        size="xs"
        data={[
          { value: "", label: "That of the contact or project" },
          ...languages.map((value) => ({ value, label: languageNames.of(value) ?? value })),
        ]}
        value={settings.locale}
        onChange={(event) => onSettings({ ...settings, locale: event.currentTarget.value })}
      />
    </div>
  )
}
