import { Button } from "@mantine/core"
import { IconPlus } from "@tabler/icons-react"
import { addTo, type Block, newRule } from "../../../parts/condition/model/draft.ts"
import { draftOf } from "../../../parts/condition/model/read.ts"
import { starters } from "../starters.ts"
import styles from "./empty-condition.module.css"

interface EmptyConditionProps {
  draft: Block
  onChange(draft: Block): void
}

/** Shown instead of an empty condition. */
export function EmptyCondition({ draft, onChange }: EmptyConditionProps) {
  return (
    <div className={styles.begin}>
      <h2 className={styles.beginTitle}>Who belongs to it?</h2>
      <p>
        Say what contacts have in their fields, what they did, or what became of their mail. Whoever matches is in it.
      </p>
      <Button
        size="sm"
        data-add
        leftSection={<IconPlus size={16} stroke={1.8} />}
        onClick={() => onChange(addTo(draft, draft.id, newRule()))}
      >
        Add a condition
      </Button>
      <div className={styles.starters}>
        <span>or begin with</span>
        {starters.map(({ name, condition }) => (
          <Button
            key={name}
            variant="default"
            size="compact-sm"
            radius="xl"
            onClick={() => onChange(draftOf(condition))}
          >
            {name}
          </Button>
        ))}
      </div>
    </div>
  )
}
