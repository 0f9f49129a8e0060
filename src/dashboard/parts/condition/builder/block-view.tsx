import { Button, NativeSelect } from "@mantine/core"
import { IconGitBranch, IconPlus } from "@tabler/icons-react"
import type { Logic } from "../../../api/conditions.ts"
import type { Block, Item, Rule } from "../model/draft.ts"
import type { RuleFault } from "../model/write.ts"
import styles from "./builder.module.css"
import type { Catalogue } from "./catalogue.ts"
import { RuleRow } from "./rule-row.tsx"

/** The operations of a block on the whole tree. */
export interface BlockActions {
  readonly catalogue: Catalogue
  readonly faults: ReadonlyMap<string, RuleFault>
  edit(id: string, edit: (item: Item) => Item | null): void
  remove(id: string): void
  addRule(block: Block): void
  addBlock(block: Block): void
  duplicate(rule: Rule): void
  addAlternative(rule: Rule, logic: Logic): void
}

/** Deeper conditions must be written as JSON, because nested boxes are unreadable. */
const deepest = 3

interface BlockViewProps {
  block: Block
  depth: number
  actions: BlockActions
}

/** Lines joined by the same logic, and nested blocks. */
export function BlockView({ block, depth, actions }: BlockViewProps) {
  const { logic, items } = block
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a grid
    <div
      className={styles.block}
      role="group"
      aria-label={logic === "AND" ? "All of these" : "Any of these"}
      data-nested={depth > 0 || undefined}
    >
      {items.map((item, index) => (
        <div key={item.id} className={styles.item}>
          <Joint
            index={index}
            nested={depth > 0}
            logic={logic}
            onLogic={(chosen) => actions.edit(block.id, (it) => (it.is === "block" ? { ...it, logic: chosen } : it))}
          />
          {item.is === "block" ? (
            <BlockView block={item} depth={depth + 1} actions={actions} />
          ) : (
            <RuleRow
              rule={item}
              logic={logic}
              catalogue={actions.catalogue}
              fault={actions.faults.get(item.id)}
              onEdit={(rule) => actions.edit(item.id, () => rule)}
              onRemove={() => actions.remove(item.id)}
              onDuplicate={() => actions.duplicate(item)}
              onAlternative={() => actions.addAlternative(item, logic)}
            />
          )}
        </div>
      ))}
      <div className={styles.add}>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={14} stroke={1.9} />}
          data-add={block.id}
          onClick={() => actions.addRule(block)}
        >
          Condition
        </Button>
        {items.length > 0 && depth < deepest && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            leftSection={<IconGitBranch size={14} stroke={1.7} />}
            onClick={() => actions.addBlock(block)}
          >
            {logic === "AND" ? "Alternatives" : "Group"}
          </Button>
        )}
      </div>
    </div>
  )
}

interface JointProps {
  index: number
  nested: boolean
  logic: Logic
  onLogic(logic: Logic): void
}

/** The logic word before a line. The second line chooses it for all. */
function Joint({ index, nested, logic, onLogic }: JointProps) {
  if (index === 1) {
    return (
      <NativeSelect
        className={styles.joint ?? ""}
        size="sm"
        aria-label="Joined by"
        data={[
          { value: "AND", label: "and" },
          { value: "OR", label: "or" },
        ]}
        value={logic}
        onChange={(event) => onLogic(event.currentTarget.value === "OR" ? "OR" : "AND")}
      />
    )
  }
  return <span className={styles.word}>{index > 1 ? (logic === "AND" ? "and" : "or") : nested ? "" : "where"}</span>
}
