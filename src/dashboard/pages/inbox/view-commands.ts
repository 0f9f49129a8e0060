import { IconCode, IconDeviceMobile, IconFileText, IconList, IconMail, IconPhoto } from "@tabler/icons-react"
import type { Command } from "../../context/commands.tsx"

/** The views of an open mail. */
export type Part = "html" | "text" | "headers" | "source"

interface PartActions {
  parts: readonly Part[]
  names: Readonly<Record<Part, string>>
  choose(part: Part): void
  /** Null when there is nothing to toggle or load. */
  width: (() => void) | null
  remote: (() => void) | null
}

const icons = { html: IconMail, text: IconFileText, headers: IconList, source: IconCode } as const
const order: readonly Part[] = ["html", "text", "headers", "source"]

/** The commands for the open mail's parts. */
export const partCommands = ({ parts, names, choose, width, remote }: PartActions): Command[] => [
  ...order.map(
    (part, index): Command => ({
      id: `show-${part}`,
      label: `Show ${names[part] === "HTML" ? "HTML" : names[part].toLowerCase()}`,
      group: "Message",
      icon: icons[part],
      keys: [String(index + 1)],
      disabled: !parts.includes(part),
      run: () => choose(part),
    }),
  ),
  {
    id: "preview-width",
    label: "Desktop or phone width",
    group: "Message",
    icon: IconDeviceMobile,
    keys: ["w"],
    disabled: width === null,
    run: () => width?.(),
  },
  {
    id: "remote",
    label: "Load remote content",
    group: "Message",
    icon: IconPhoto,
    keys: ["i"],
    disabled: remote === null,
    run: () => remote?.(),
  },
]
