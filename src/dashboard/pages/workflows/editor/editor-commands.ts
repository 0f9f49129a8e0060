import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconArrowForwardUp,
  IconArrowsMove,
  IconClipboard,
  IconCopy,
  IconDeviceFloppy,
  IconListDetails,
  IconTrash,
} from "@tabler/icons-react"
import type { StepType } from "../../../api/workflows.ts"
import type { Command } from "../../../context/commands.tsx"
import { withControl } from "../../../ui/keys.tsx"
import { saveKey } from "../../../ui/save.tsx"
import { addable, kinds } from "./model/kinds.ts"
import type { Steps } from "./use-steps.ts"

interface EditorCommands {
  steps: Steps
  save(): void
  showFaults(): void
  add(type: StepType): void
  run(): void
}

export const undoKey = withControl("Z")
export const redoKey = withControl("Y")

/** Keys that the steps handle themselves. */
const listed = { keyOnly: true, disabled: true, run: () => {} } as const

/** The commands of the open workflow. */
export function editorCommands({ steps, save, showFaults, add, run }: EditorCommands): Command[] {
  const one = { group: "Workflow" } as const
  const { undo, redo } = steps
  return [
    { ...one, id: "save", label: "Save", icon: IconDeviceFloppy, keys: [saveKey], run: save },
    { ...one, id: "undo", label: "Undo", icon: IconArrowBackUp, keys: [undoKey], disabled: !undo, run: () => undo?.() },
    {
      ...one,
      id: "redo",
      label: "Redo",
      icon: IconArrowForwardUp,
      keys: [redoKey],
      disabled: !redo,
      run: () => redo?.(),
    },
    { ...one, id: "faults", label: "Show what is missing", icon: IconAlertTriangle, run: showFaults },
    { ...one, id: "executions", label: "Show its executions", icon: IconListDetails, keys: ["e"], run },
    { ...one, ...listed, id: "walk", label: "From step to step", icon: IconArrowsMove, keys: ["ArrowDown"] },
    { ...one, ...listed, id: "delete-step", label: "Delete the chosen steps", icon: IconTrash, keys: ["Delete"] },
    { ...one, ...listed, id: "copy", label: "Copy the chosen steps", icon: IconCopy, keys: [withControl("C")] },
    { ...one, ...listed, id: "paste", label: "Paste them", icon: IconClipboard, keys: [withControl("V")] },
    ...addable.map((type) => ({
      ...one,
      id: `add-${type}`,
      label: `Add a step: ${kinds[type].name}`,
      icon: kinds[type].icon,
      run: () => add(type),
    })),
  ]
}
