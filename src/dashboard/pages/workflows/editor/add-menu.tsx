import { Menu } from "@mantine/core"
import { IconArrowMergeLeft, IconUnlink } from "@tabler/icons-react"
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from "react"
import type { StepType } from "../../../api/workflows.ts"
import { StepIcon } from "../step-icon.tsx"
import styles from "./editor.module.css"
import type { Step } from "./model/graph.ts"
import { addable, kinds } from "./model/kinds.ts"

interface AddMenuProps {
  /** Relative to the canvas, in px. */
  at: { readonly x: number; readonly y: number }
  /** Whether something comes after the place: an exit step cannot be put before it. */
  hasNext: boolean
  /** The steps that the place can lead to instead. */
  targets: readonly Step[]
  onAdd(type: StepType): void
  onConnect(stepId: string): void
  /** Undefined where nothing comes after the place. */
  onDisconnect: (() => void) | undefined
  onClose(): void
}

/** Below this width there is no room beside a step, in px. */
const narrow = 768

/** All content must be in a landmark, which the end of the body is not. */
const landmark = { target: "main" }

/** What can be put at a place of the workflow. */
export function AddMenu(props: AddMenuProps) {
  const { at, hasNext, targets, onAdd, onConnect, onDisconnect, onClose } = props
  const isNarrow = window.innerWidth < narrow
  const [isConnecting, setConnecting] = useState(false)
  const entries = useRef<HTMLDivElement>(null)
  const [opener] = useState(() => document.activeElement)
  const close = () => {
    if (opener instanceof HTMLElement && entries.current?.contains(document.activeElement)) opener.focus()
    onClose()
  }
  return (
    <Menu
      opened
      position={isNarrow ? "bottom" : "right"}
      width={300}
      shadow="lg"
      onClose={close}
      closeOnItemClick={false}
      // Mantine's moves the focus a moment after the keys that open and close the menu
      trapFocus={false}
      returnFocus={false}
      // Mantine's label is an element that is not allowed in a menu
      withInitialFocusPlaceholder={false}
      portalProps={landmark}
      transitionProps={{ duration: 0 }}
    >
      <Menu.Target>
        <span aria-hidden className={styles.anchor} style={{ left: at.x, top: at.y }} />
      </Menu.Target>
      <Menu.Dropdown
        className={styles.menu ?? ""}
        aria-label="Add a step"
        onKeyDown={({ key }) => key === "Tab" && close()}
      >
        <Entries ref={entries}>
          {isConnecting ? (
            <>
              <Menu.Label>Lead to</Menu.Label>
              {targets.map((step) => (
                <Menu.Item key={step.id} onClick={() => onConnect(step.id)}>
                  {step.name}
                </Menu.Item>
              ))}
            </>
          ) : (
            <>
              {addable.map((type) => {
                const { name, about } = kinds[type]
                const isAtEnd = type === "EXIT" && hasNext
                return (
                  <Menu.Item
                    key={type}
                    disabled={isAtEnd}
                    leftSection={<StepIcon type={type} size={30} />}
                    onClick={() => onAdd(type)}
                  >
                    {name}
                    <small className={styles.menuAbout}>{isAtEnd ? "Only where nothing comes after." : about}</small>
                  </Menu.Item>
                )
              })}
              {(targets.length > 0 || onDisconnect) && <Menu.Divider />}
              {targets.length > 0 && (
                <Menu.Item
                  leftSection={<IconArrowMergeLeft size={16} stroke={1.6} />}
                  onClick={() => setConnecting(true)}
                >
                  Lead to another step…
                </Menu.Item>
              )}
              {onDisconnect && (
                <Menu.Item leftSection={<IconUnlink size={16} stroke={1.6} />} onClick={onDisconnect}>
                  Cut this line
                </Menu.Item>
              )}
            </>
          )}
        </Entries>
      </Menu.Dropdown>
    </Menu>
  )
}

/** They have the focus at once, as the next key is already for the menu: the first arrow leads to the first entry. */
function Entries({ ref, children }: { ref: RefObject<HTMLDivElement | null>; children: ReactNode }) {
  useLayoutEffect(() => ref.current?.focus({ preventScroll: true }), [ref])
  return (
    // biome-ignore lint/a11y/useSemanticElements: a menu has groups, and no fieldset
    <div ref={ref} role="group" tabIndex={-1} className={styles.menuEntries}>
      {children}
    </div>
  )
}
