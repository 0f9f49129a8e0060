import { TextInput, UnstyledButton } from "@mantine/core"
import { IconAlertCircle, IconCheck, IconPlus } from "@tabler/icons-react"
import { useState } from "react"
import type { Preview } from "../../api/templates.ts"
import { LanguageHelp } from "./language-help.tsx"
import { hasFallback } from "./variable-paths.ts"
import type { Variable } from "./variables.ts"
import styles from "./variables-view.module.css"

interface VariablesViewProps {
  preview: Preview | undefined
  /** Subject and body. */
  source: string
  variables: readonly Variable[]
  onInsert(text: string): void
}

const groups = { field: "Fields of your contacts", contact: "Always there", link: "Links" } as const

/** The variables of the template, those without a value, and other available ones. */
export default function VariablesView({ preview, source, variables, onInsert }: VariablesViewProps) {
  const [text, setText] = useState("")
  const found = variables.filter(({ name }) => name.toLowerCase().includes(text.trim().toLowerCase()))
  const { used = [], missing = [] } = preview?.variables ?? {}
  return (
    <div className={styles.view}>
      <h2 className={styles.heading}>Used here</h2>
      {used.length === 0 ? (
        <p className={styles.quiet}>None yet. Click one below to put it where the cursor is.</p>
      ) : (
        <ul className={styles.used} aria-label="Used here">
          {used.map((name) => (
            <Used key={name} name={name} missing={missing.includes(name)} fallback={hasFallback(source, name)} />
          ))}
        </ul>
      )}
      {missing.length > 0 && (
        <p className={styles.quiet}>
          What has no value prints nothing. A fallback stands in for it: <code>{"{{name ?? there}}"}</code>
        </p>
      )}
      <div className={styles.insertHead}>
        <h2 className={styles.heading}>Put in</h2>
        <TextInput
          size="xs"
          aria-label="Find a variable"
          placeholder="Find"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </div>
      {Object.entries(groups).map(([group, title]) => {
        const ofGroup = found.filter((variable) => variable.group === group)
        return (
          ofGroup.length > 0 && (
            <section key={group} aria-label={title}>
              <h3 className={styles.group}>{title}</h3>
              <ul className={styles.variables}>
                {ofGroup.map(({ name, detail }) => (
                  <li key={name}>
                    <UnstyledButton
                      className={styles.variable ?? ""}
                      aria-label={`Insert ${name}`}
                      onClick={() => onInsert(`{{${name}}}`)}
                    >
                      <code>{name}</code>
                      <small>{detail}</small>
                      <IconPlus size={15} stroke={1.8} />
                    </UnstyledButton>
                  </li>
                ))}
              </ul>
            </section>
          )
        )
      })}
      {found.length === 0 && <p className={styles.quiet}>No variable goes by that name.</p>}
      <LanguageHelp />
    </div>
  )
}

function Used({ name, missing, fallback }: { name: string; missing: boolean; fallback: boolean }) {
  const Mark = missing && !fallback ? IconAlertCircle : IconCheck
  return (
    <li data-missing={(missing && !fallback) || undefined}>
      <Mark size={16} stroke={1.7} aria-hidden="true" />
      <code>{name}</code>
      {missing && <span>{fallback ? "no value here, its fallback stands in" : "no value here"}</span>}
    </li>
  )
}
