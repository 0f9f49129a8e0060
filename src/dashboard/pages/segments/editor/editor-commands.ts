import {
  IconCopy,
  IconDeviceFloppy,
  IconFilter,
  IconLayoutList,
  IconPlus,
  IconRefresh,
  IconTrash,
} from "@tabler/icons-react"
import type { Segment } from "../../../api/segments.ts"
import type { Command } from "../../../context/commands.tsx"
import { saveKey } from "../../../ui/save.tsx"
import { computes, type SegmentActions } from "../use-segment-actions.tsx"

/** The visible part of a segment. */
export type Part = "rules" | "json" | "members"

interface EditorCommands {
  segment: Segment | null
  actions: SegmentActions
  /** In the order of their number keys. */
  parts: readonly Part[]
  show(part: Part): void
  save(): void
  addRule?(): void
}

const names: Readonly<Record<Part, string>> = {
  rules: "Show the conditions",
  json: "Show the JSON",
  members: "Show the members",
}

/** The commands of the open segment, some with a key. */
export function editorCommands(of: EditorCommands): Command[] {
  const { segment, actions, parts, show, save, addRule } = of
  const one = { group: "Segment" } as const
  const commands: (Command | false | undefined)[] = [
    {
      ...one,
      id: "save",
      label: segment ? "Save" : "Create the segment",
      icon: IconDeviceFloppy,
      keys: [saveKey],
      run: save,
    },
    addRule && { ...one, id: "add-condition", label: "Add a condition", icon: IconPlus, keys: ["a"], run: addRule },
    ...(parts.length > 1 ? parts : []).map((part, index) => ({
      ...one,
      id: `show-${part}`,
      label: names[part],
      icon: part === "members" ? IconLayoutList : IconFilter,
      keys: [String(index + 1)],
      run: () => show(part),
    })),
    segment !== null && {
      ...one,
      id: "renew",
      label: computes(segment) ? "Compute membership now" : "Count again",
      icon: IconRefresh,
      // computing causes events, so it has no single key
      ...(computes(segment) ? {} : { keys: ["r"] }),
      run: () => void actions.renew(),
    },
    segment?.type === "DYNAMIC" && {
      ...one,
      id: "duplicate",
      label: "Duplicate",
      icon: IconCopy,
      run: actions.duplicate,
    },
    segment !== null && { ...one, id: "delete", label: "Delete", icon: IconTrash, run: () => void actions.remove() },
  ]
  return commands.filter((command) => command !== false && command !== undefined)
}
