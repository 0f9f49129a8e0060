import { ActionIcon, Menu, UnstyledButton } from "@mantine/core"
import { IconArrowBackUp, IconX } from "@tabler/icons-react"
import { count } from "../../ui/format.ts"
import { AddField } from "./add-field.tsx"
import styles from "./data-fields.module.css"
import { asKind, type Draft, isThere } from "./draft.ts"
import { innerKinds, kinds, topKinds } from "./kinds.ts"
import { ValueField } from "./value-field.tsx"

interface FieldRowProps {
  draft: Draft
  /** Its key, or its position in a list. */
  label: string
  faults: ReadonlyMap<string, string>
  changed?: boolean
  /** Whether it is a field of the contact instead of a part of one. */
  top?: boolean
  /** Replaces a draft, this one or one inside it; null removes it. */
  onEdit(id: string, edit: (draft: Draft) => Draft | null): void
}

/** One field: its type, its name, its value, and its inner fields. */
export function FieldRow({ draft, label, faults, changed = false, top = false, onEdit }: FieldRowProps) {
  const { id, kind, inner, removed } = draft
  const { icon: KindIcon } = kinds[kind]
  const isGroup = kind === "object" || kind === "list"
  return (
    <div className={styles.row} data-field={label} data-removed={removed || undefined}>
      {removed ? (
        <span className={styles.kind}>
          <KindIcon size={16} stroke={1.6} />
        </span>
      ) : (
        <KindMenu draft={draft} label={label} top={top} onEdit={(edited) => onEdit(id, () => edited)} />
      )}
      <span className={styles.key} title={label} data-changed={changed || undefined}>
        {label}
      </span>
      <div className={styles.value}>
        {removed ? (
          <span className={styles.size}>Will be removed</span>
        ) : isGroup ? (
          <span className={styles.size}>
            {count(inner.filter(isThere).length, kind === "object" ? "field" : "item")}
          </span>
        ) : (
          <ValueField
            draft={draft}
            label={label}
            fault={faults.get(id)}
            placeholder={changed ? "Will be removed" : top ? "Value" : ""}
            onEdit={(part) => onEdit(id, (now) => ({ ...now, ...part }))}
          />
        )}
      </div>
      <ActionIcon
        className={styles.remove ?? ""}
        variant="subtle"
        color="gray"
        size={28}
        aria-label={`${removed ? "Bring back" : "Remove"} ${label}`}
        onClick={() => onEdit(id, (now) => (now.added ? null : { ...now, removed: !removed }))}
      >
        {removed ? <IconArrowBackUp size={16} stroke={1.7} /> : <IconX size={15} stroke={1.7} />}
      </ActionIcon>
      {isGroup && !removed && (
        <fieldset className={styles.inner} aria-label={label}>
          {inner.map((part, index) => (
            <FieldRow
              key={part.id}
              draft={part}
              label={kind === "list" ? String(index + 1) : part.key}
              faults={faults}
              onEdit={onEdit}
            />
          ))}
          <AddField
            inner
            list={kind === "list"}
            taken={inner.map(({ key }) => key)}
            onAdd={(added) => onEdit(id, (now) => ({ ...now, inner: [...now.inner, added] }))}
          />
        </fieldset>
      )}
    </div>
  )
}

interface KindMenuProps {
  draft: Draft
  label: string
  top: boolean
  onEdit(draft: Draft): void
}

function KindMenu({ draft, label, top, onEdit }: KindMenuProps) {
  const { name, icon: Icon } = kinds[draft.kind]
  return (
    <Menu position="bottom-start" width={160}>
      <Menu.Target>
        <UnstyledButton className={styles.kind ?? ""} aria-label={`Type of ${label}: ${name}`} title={name}>
          <Icon size={16} stroke={1.6} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Type</Menu.Label>
        {(top ? topKinds : innerKinds).map((kind) => {
          const { name, icon: KindIcon } = kinds[kind]
          return (
            <Menu.Item
              key={kind}
              leftSection={<KindIcon size={15} stroke={1.6} />}
              onClick={() => kind !== draft.kind && onEdit(asKind(draft, kind))}
            >
              {name}
            </Menu.Item>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}
