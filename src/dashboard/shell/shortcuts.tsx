import { IconKeyboard } from "@tabler/icons-react"
import { useState } from "react"
import { type Command, useCommands, useRegistry } from "../context/commands.tsx"
import { lazy, openOnDemand, useHasBeen } from "../ui/on-demand.tsx"

const ShortcutsDialog = lazy(() => import("./shortcuts-dialog.tsx"))
const whenLoaded = openOnDemand(ShortcutsDialog.load, (_loaded, show: () => void) => show())

/** Registers `?`, which shows a list of all active keys. */
export function Shortcuts() {
  const registry = useRegistry()
  const [shown, setShown] = useState<readonly Command[] | null>(null)
  useCommands([
    {
      id: "shortcuts",
      label: "Keyboard shortcuts",
      group: "View",
      icon: IconKeyboard,
      keys: ["?"],
      run: () => whenLoaded(() => setShown(registry.all().filter(({ keys }) => keys))),
    },
  ])
  const isWanted = useHasBeen(shown !== null)
  return <>{isWanted && <ShortcutsDialog shown={shown} onClose={() => setShown(null)} />}</>
}
