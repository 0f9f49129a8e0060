import { Switch, TextInput } from "@mantine/core"
import { IconSearch } from "@tabler/icons-react"
import { useState } from "react"
import type { InstanceSettings } from "../../api/instance.ts"
import { useInstanceSettings } from "../../queries/instance.ts"
import { useConfig } from "../../queries/session.ts"
import { Notice } from "../../ui/empty-state.tsx"
import { Section, SectionNote, Sections } from "../../ui/section.tsx"
import { Settings } from "../../ui/snippet.tsx"
import styles from "./configuration.module.css"

/** The effective configuration of the server. It is changed at its source, and read at the next start. */
export default function Configuration() {
  const config = useConfig()
  const query = useInstanceSettings()
  const isClosed = config.features.signup.signupsDisabled
  return (
    <Sections>
      <Section title="Sign-ups" text="Whether people can make accounts themselves.">
        <SectionNote>
          {isClosed
            ? "Closed: accounts are made with "
            : "Open: whoever reaches this server can make an account and projects. To close them, set "}
          <code className={styles.code}>{isClosed ? "mailstead user create EMAIL" : "accounts.signups = false"}</code>
          {isClosed
            ? ". To open them, set accounts.signups to true and restart."
            : " in the configuration and restart."}
        </SectionNote>
      </Section>
      {query.data ? (
        <>
          <Section title="Version">
            <Settings
              label="Version"
              rows={[
                { name: "Version", value: query.data.version },
                ...(query.data.commit ? [{ name: "Commit", value: query.data.commit }] : []),
              ]}
            />
          </Section>
          <Section
            title="Configuration"
            text="In force since the last start: options win over the environment, that over the file, that over defaults. Secrets are hidden."
          >
            <SettingTable settings={query.data.settings} />
          </Section>
        </>
      ) : query.isError ? (
        <Notice failed text={query.error.message} action="Try again" onAction={() => void query.refetch()} />
      ) : null}
    </Sections>
  )
}

function SettingTable({ settings }: Pick<InstanceSettings, "settings">) {
  const [text, setText] = useState("")
  const [onlySet, setOnlySet] = useState(false)
  const wanted = text.trim().toLowerCase()
  const shown = settings.filter(
    (setting) => setting.key.toLowerCase().includes(wanted) && (!onlySet || !isDefault(setting)),
  )
  return (
    <>
      <div className={styles.tools}>
        <TextInput
          className={styles.search}
          size="sm"
          aria-label="Search settings"
          placeholder="Search settings"
          leftSection={<IconSearch size={16} stroke={1.7} />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Switch
          label="Only what was set"
          checked={onlySet}
          onChange={(event) => setOnlySet(event.currentTarget.checked)}
        />
      </div>
      <dl className={styles.settings}>
        {shown.map((setting) => (
          <div key={setting.key} className={styles.setting}>
            <dt>{setting.key}</dt>
            <dd data-set={isDefault(setting) ? undefined : true}>
              {formatValue(setting.value)}
              {!isDefault(setting) && setting.value !== hidden && (
                <span className={styles.default}>default {formatValue(setting.default)}</span>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {shown.length === 0 && <SectionNote>No setting matches.</SectionNote>}
    </>
  )
}

type Setting = InstanceSettings["settings"][number]

/** The server's replacement for a secret. */
const hidden = "***"

const isDefault = ({ value, default: usual }: Setting): boolean => JSON.stringify(value) === JSON.stringify(usual)

const formatValue = (value: unknown): string =>
  value === null || value === undefined || value === ""
    ? "none"
    : value === hidden
      ? "set, hidden"
      : typeof value === "string"
        ? value
        : JSON.stringify(value)
