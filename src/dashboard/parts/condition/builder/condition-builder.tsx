import { useRef } from "react"
import { otherLogic } from "../../../api/conditions.ts"
import { addTo, type Block, duplicate, editItem, newBlock, newRule, rulesOf, withAlternative } from "../model/draft.ts"
import type { RuleFault } from "../model/write.ts"
import { type BlockActions, BlockView } from "./block-view.tsx"
import styles from "./builder.module.css"
import { type Catalogue, useCatalogue } from "./catalogue.ts"

interface ConditionBuilderProps {
  draft: Block
  onChange(draft: Block): void
  /** By the id of the rule. */
  faults: ReadonlyMap<string, RuleFault>
  /** The segment of the condition, which cannot refer to itself. */
  ownId?: string | undefined
  /** The fields to choose from, where those are not the ones of segments. */
  catalogue?: Catalogue
}

/** A condition as lines that read as a sentence. Lists of alternatives stand in boxes, no deeper than needed. */
export default function ConditionBuilder({ draft, onChange, faults, ownId, ...others }: ConditionBuilderProps) {
  const ofSegments = useCatalogue(ownId)
  const catalogue = others.catalogue ?? ofSegments
  const root = useRef<HTMLDivElement>(null)

  /** Removes a line and focuses the one above, or else the button that adds one, also in what takes the builder's place. */
  const remove = (id: string) => {
    const around = root.current?.parentElement
    const rules = rulesOf(draft)
    const above = rules[rules.findIndex((rule) => rule.id === id) - 1]
    onChange(editItem(draft, id, () => null))
    requestAnimationFrame(() => {
      const line = above ? `[data-rule="${above.id}"] button` : "[data-add]"
      around?.querySelector<HTMLElement>(line)?.focus()
    })
  }
  const actions: BlockActions = {
    catalogue,
    faults,
    remove,
    edit: (id, edit) => onChange(editItem(draft, id, edit)),
    addRule: (block) => onChange(addTo(draft, block.id, newRule())),
    addBlock: (block) => onChange(addTo(draft, block.id, newBlock(otherLogic(block.logic)))),
    duplicate: (rule) => onChange(duplicate(draft, rule)),
    addAlternative: (rule, logic) => onChange(withAlternative(draft, rule, logic)),
  }
  return (
    <div ref={root} className={styles.builder}>
      <BlockView block={draft} depth={0} actions={actions} />
    </div>
  )
}
