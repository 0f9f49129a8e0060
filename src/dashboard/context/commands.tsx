import type { Icon } from "@tabler/icons-react"
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from "react"

/** The groups of commands, in the order of the palette. */
export const commandGroups = [
  "Message",
  "Contact",
  "Segment",
  "Campaign",
  "Workflow",
  "Template",
  "List",
  "New",
  "Go to",
  "View",
  "Project",
] as const
type CommandGroup = (typeof commandGroups)[number]

/** A command that is available now: by key, in the palette, and in the list of shortcuts. */
export interface Command {
  readonly id: string
  readonly label: string
  readonly group: CommandGroup
  readonly icon: Icon
  /** Values of `KeyboardEvent.key`; the first is shown. One with a modifier is only shown: the page handles it itself. */
  readonly keys?: readonly string[]
  /** Listed among the shortcuts, but without effect at the moment. */
  readonly disabled?: boolean
  /** Not shown in the palette, for example for moving the cursor. */
  readonly keyOnly?: boolean
  run(): void
}

interface Registry {
  add(source: () => readonly Command[]): () => void
  all(): readonly Command[]
}

const RegistryContext = createContext<Registry | null>(null)

function createRegistry(): Registry {
  const sources = new Set<() => readonly Command[]>()
  return {
    add(source) {
      sources.add(source)
      return () => sources.delete(source)
    },
    all: () => [...sources].flatMap((source) => source()),
  }
}

export function useRegistry(): Registry {
  const registry = useContext(RegistryContext)
  if (!registry) throw new Error("useRegistry outside of CommandsProvider")
  return registry
}

/** Registers commands while the component is mounted, always those of its latest render. */
export function useCommands(commands: readonly Command[]): void {
  const registry = useRegistry()
  const latest = useRef(commands)
  useEffect(() => {
    latest.current = commands
  })
  useEffect(() => registry.add(() => latest.current), [registry])
}

/** Collects the commands of the mounted components and runs them by key. */
export function CommandsProvider({ children }: { children: ReactNode }) {
  const [registry] = useState(createRegistry)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isForUs(event)) return
      const command = registry.all().find(({ keys, disabled }) => !disabled && keys?.includes(event.key))
      if (!command) return
      event.preventDefault()
      command.run()
    }
    document.addEventListener("keydown", onKey)
    return () => document.removeEventListener("keydown", onKey)
  }, [registry])
  return <RegistryContext value={registry}>{children}</RegistryContext>
}

const elsewhere =
  "input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable], [role=dialog], [role=menu]"
/** Whether a dialog is open: the page behind it is then inert, wherever the focus is. */
export const isDialogOpen = (): boolean => document.querySelector("[role=dialog][aria-modal=true]") !== null
const ownArrows = "[data-own-arrows], [role=tablist], [role=radiogroup]"

/** The focused element handles keys first: fields, dialogs and menus, activation of links and buttons, scrolling. */
function isForUs(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return false
  const target = event.target instanceof Element ? event.target : document.body
  if (target.closest(elsewhere) || isDialogOpen()) return false
  if (event.key === "Enter") return target.closest("a, button, [tabindex='0']") === null
  return !event.key.startsWith("Arrow") || target.closest(ownArrows) === null
}
