import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData, useSpotlight } from "@mantine/spotlight"
import { IconSearch } from "@tabler/icons-react"
import { useEffect, useRef, useState } from "react"
import { useLocation } from "wouter"
import { type Command, commandGroups, useRegistry } from "../context/commands.tsx"
import { afterFocusReturn } from "../ui/after-focus-return.ts"
import { KeyCaps } from "../ui/keys.tsx"
import styles from "./palette.module.css"
import { exposeSelectionOf, fieldId, palette, paletteStore, selectFirst } from "./palette-store.ts"
import { type FoundRecord, useRecords } from "./use-records.ts"

/**
 * The command palette (Ctrl or Cmd with K): everything that can be done here and now, and the records of the project, by
 * name. It is loaded when it is first asked for, so it opens at once.
 */
export default function Palette() {
  useEffect(() => palette.open(), [])
  const registry = useRegistry()
  const [commands, setCommands] = useState<readonly Command[]>(() => registry.all())
  const [text, setText] = useState("")
  const [, go] = useLocation()
  const records = useRecords(text)
  // biome-ignore lint/correctness/useExhaustiveDependencies: they are the entries of the list
  useEffect(selectFirst, [records])
  const { opened, listId } = useSpotlight(paletteStore)
  useEffect(() => exposeSelectionOf(listId), [listId])
  // run after the palette has closed and returned the focus, so that the command may move it
  const chosen = useRef<Pick<Command, "run">>(undefined)
  const runChosen = () => {
    const command = chosen.current
    chosen.current = undefined
    if (command) afterFocusReturn(() => command.run())
  }
  const lead = (path: string) => {
    chosen.current = { run: () => go(path) }
  }
  const actions = commandGroups.flatMap((group): SpotlightActionGroupData[] => {
    const offered = commands.filter((command) => command.group === group && !command.disabled && !command.keyOnly)
    return offered.length > 0
      ? [
          {
            group,
            actions: offered.map((command) =>
              toAction(command, () => {
                chosen.current = command
              }),
            ),
          },
        ]
      : []
  })
  return (
    <Spotlight
      store={paletteStore}
      actions={[...actions, ...groupsOf(records, lead)]}
      query={text}
      onQueryChange={setText}
      shortcut="mod + K"
      tagsToIgnore={[]}
      triggerOnContentEditable
      attributes={{ content: { "aria-label": "Command palette" } }}
      transitionProps={{ duration: 150, exitDuration: 0, transition: "pop" }}
      onExitTransitionEnd={runChosen}
      highlightQuery
      overlayProps={{ backgroundOpacity: 0.35, blur: 0 }}
      classNames={{ action: styles.action ?? "", actionsGroup: styles.group ?? "" }}
      scrollable
      maxHeight={420}
      onSpotlightOpen={() => setCommands(registry.all())}
      nothingFound={<span role="alert">Nothing goes by that name</span>}
      scrollAreaProps={{ role: "listbox", "aria-label": "Commands and records" }}
      searchProps={{
        leftSection: <IconSearch size={18} />,
        placeholder: "Do something, or find a record",
        "aria-label": "Command",
        id: fieldId,
        role: "combobox",
        "aria-autocomplete": "list",
        "aria-expanded": opened && listId !== "",
        "aria-controls": listId || undefined,
      }}
    />
  )
}

/** The server matches more than names, so the search text is a keyword of its results for the palette's own filter. */
function groupsOf(records: readonly FoundRecord[], choose: (path: string) => void): SpotlightActionGroupData[] {
  const names = [...new Set(records.map(({ group }) => group))]
  return names.map((group) => ({
    group,
    actions: records
      .filter((one) => one.group === group)
      .map(({ id, name, note, path, search, icon: Icon }) => ({
        id: `${group}-${id}`,
        label: name,
        description: note ?? "",
        keywords: [search],
        role: "option",
        onClick: () => choose(path),
        leftSection: <Icon size={18} stroke={1.6} />,
      })),
  }))
}

function toAction({ id, label, keys, icon: Icon }: Command, choose: () => void): SpotlightActionData {
  return {
    id,
    label,
    role: "option",
    onClick: choose,
    leftSection: <Icon size={18} stroke={1.6} />,
    rightSection: keys?.[0] ? <KeyCaps keys={keys.slice(0, 1)} /> : undefined,
  }
}
