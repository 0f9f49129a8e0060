import { SegmentedControl, VisuallyHidden } from "@mantine/core"
import { useLocalStorage } from "@mantine/hooks"
import { IconDeviceDesktop, IconDeviceMobile } from "@tabler/icons-react"
import type { ReactNode } from "react"
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

/** Chooses the width. Hidden on a screen that is no wider than a phone. */
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
export const PreviewStage = ({ width, children }: PreviewStageProps) => (
  <div className={styles.stage} data-width={width}>
    {children(styles.frame)}
  </div>
)
