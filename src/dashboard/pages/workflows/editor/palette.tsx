import type { StepType } from "../../../api/workflows.ts"
import { StepIcon } from "../step-icon.tsx"
import { addable, kinds } from "./model/kinds.ts"
import styles from "./palette.module.css"

/** The kinds of steps, to click or to drag into the workflow. */
export function Palette({ onAdd }: { onAdd(type: StepType): void }) {
  return (
    <aside className={styles.palette} aria-label="Steps to add">
      <h2 className={styles.paletteTitle}>Steps</h2>
      <p className={styles.paletteAbout}>Click to add after the chosen step, or drag onto a line.</p>
      <ul className={styles.paletteList}>
        {addable.map((type) => {
          const { name, about } = kinds[type]
          return (
            <li key={type}>
              <button
                type="button"
                className={styles.entry}
                draggable
                onDragStart={(event) => {
                  event.dataTransfer.setData("application/x-mailstead-type", type)
                  event.dataTransfer.effectAllowed = "copy"
                }}
                onClick={() => onAdd(type)}
              >
                <StepIcon type={type} size={34} />
                <span className={styles.entryTexts}>
                  <strong>{name}</strong>
                  <small>{about}</small>
                </span>
              </button>
            </li>
          )
        })}
      </ul>
    </aside>
  )
}
