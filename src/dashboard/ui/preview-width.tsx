import { SegmentedControl, VisuallyHidden } from "@mantine/core"
import { useLocalStorage } from "@mantine/hooks"
import { IconDeviceDesktop, IconDeviceMobile } from "@tabler/icons-react"
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react"
import styles from "./preview-width.module.css"

export type PreviewWidth = "wide" | "phone"

/** The width in which mail is shown, as this browser remembers it. */
export const usePreviewWidth = () =>
  useLocalStorage<PreviewWidth>({
    key: "mailstead.preview",
    defaultValue: "wide",
    getInitialValueInEffect: false,
  })

interface PreviewWidthControlProps {
  width: PreviewWidth
  onWidth(width: PreviewWidth): void
}

/** Chooses the width. Hidden on a screen as narrow as a phone. */
export function PreviewWidthControl({ width, onWidth }: PreviewWidthControlProps) {
  return (
    <SegmentedControl
      className={styles.control ?? ""}
      size="xs"
      aria-label="Preview width"
      value={width}
      onChange={(value) => onWidth(value === "phone" ? "phone" : "wide")}
      data={[
        { value: "wide", label: <Label icon={<IconDeviceDesktop size={16} stroke={1.6} />} text="Desktop width" /> },
        { value: "phone", label: <Label icon={<IconDeviceMobile size={16} stroke={1.6} />} text="Phone width" /> },
      ]}
    />
  )
}

const Label = ({ icon, text }: { icon: ReactNode; text: string }) => (
  <span className={styles.label} title={text}>
    {icon}
    <VisuallyHidden>{text}</VisuallyHidden>
  </span>
)

interface PreviewStageProps {
  width: PreviewWidth
  /** The frame of the document. */
  children(frameClass: string | undefined): ReactNode
}

/** The area around the frame in which mail is shown, and the look of the frame in this width. */
export function PreviewStage({ width, children }: PreviewStageProps) {
  const stage = useRef<HTMLDivElement>(null)
  const isEntered = useIsEntered(stage)
  return (
    <div ref={stage} className={styles.stage} data-width={width} data-entered={isEntered || undefined}>
      {children(styles.frame)}
    </div>
  )
}

/** Whether Tab has led into a frame within the element. No selector matches that: only the window notices, by losing the focus. */
function useIsEntered(around: RefObject<HTMLElement | null>): boolean {
  const [isEntered, setEntered] = useState(false)
  useEffect(() => {
    let isByTab = false
    const onInput = (event: Event) => {
      isByTab = event instanceof KeyboardEvent && event.type === "keydown" && event.key === "Tab"
    }
    const onFocus = () => {
      const { activeElement } = document
      setEntered(isByTab && activeElement?.tagName === "IFRAME" && around.current?.contains(activeElement) === true)
    }
    // A click into the frame is no event here, but the key is up by then.
    const inputs = ["keydown", "keyup", "pointerdown"] as const
    const changes = ["blur", "focus", "focusin"] as const
    for (const type of inputs) window.addEventListener(type, onInput, true)
    for (const type of changes) window.addEventListener(type, onFocus)
    return () => {
      for (const type of inputs) window.removeEventListener(type, onInput, true)
      for (const type of changes) window.removeEventListener(type, onFocus)
    }
  }, [around])
  return isEntered
}
