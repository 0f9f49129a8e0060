import { UnstyledButton } from "@mantine/core"
import { IconChevronRight, IconTrash } from "@tabler/icons-react"
import type { Field } from "../../../api/contacts.ts"
import type { TableRowProps } from "../../../list/table-rows.tsx"
import { kindOfType, kinds } from "../../../parts/data/kinds.ts"
import { Tool } from "../../../ui/tool.tsx"
import { FieldDetails } from "./field-details.tsx"
import { nameOf } from "./field-name.ts"
import styles from "./fields-page.module.css"
import { useFieldDeletion } from "./use-field-deletion.tsx"

interface FieldEntryProps {
  row: TableRowProps
  field: Field
  /** The number of contacts; undefined while unknown. */
  total: number | undefined
  open: boolean
  onToggle(): void
  /** The element to focus once the field is deleted. */
  next(): HTMLElement | null
}

/** One field of the catalogue; opened, it shows its values and where it is used. */
export function FieldEntry({ row, field, total, open, onToggle, next }: FieldEntryProps) {
  const name = nameOf(field)
  const remove = useFieldDeletion(field, next)
  const { name: type, icon: Icon } = kinds[kindOfType(field.type)]
  return (
    <>
      <tr {...row} data-open={open || undefined}>
        <td className={styles.name}>
          <UnstyledButton
            className={styles.toggle ?? ""}
            data-toggle={field.field}
            aria-expanded={open}
            title={name}
            onClick={onToggle}
          >
            <IconChevronRight size={15} stroke={1.8} />
            <span className={styles.label}>{name}</span>
          </UnstyledButton>
        </td>
        <td className={styles.typeCell}>
          <span className={styles.type}>
            <Icon size={15} stroke={1.6} />
            {type}
          </span>
        </td>
        <td>{field.isCustom && <Coverage share={field.coverage} total={total} />}</td>
        <td className={styles.action}>
          {field.isCustom && <Tool label={`Delete ${name}`} icon={IconTrash} size="md" run={remove} />}
        </td>
      </tr>
      {open && (
        <tr>
          <td colSpan={4} className={styles.details}>
            <FieldDetails field={field} />
          </td>
        </tr>
      )}
    </>
  )
}

function Coverage({ share, total }: { share: number; total: number | undefined }) {
  return (
    <div className={styles.coverage}>
      <div className={styles.track} aria-hidden="true">
        {/* something that is there is seen, however little */}
        <div className={styles.fill} style={{ width: share === 0 ? 0 : `max(4px, ${share * 100}%)` }} />
      </div>
      <span className={styles.share}>{formatShare(share, total)}</span>
    </div>
  )
}

/** Shares have four decimals (contract A5.7), so few of more contacts than this round to 0. */
const finest = 10_000

function formatShare(share: number, total: number | undefined): string {
  const percent = share * 100
  if (share === 0 && total !== undefined && total > finest) return "< 0.01%"
  if (share > 0 && percent < 1) return "< 1%"
  return `${share < 1 && percent > 99 ? 99 : Math.round(percent)}%`
}
