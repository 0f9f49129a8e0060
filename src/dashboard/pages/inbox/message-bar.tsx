import {
  IconArrowLeft,
  IconChevronDown,
  IconChevronUp,
  IconDownload,
  IconMail,
  IconTrash,
  IconX,
} from "@tabler/icons-react"
import { Tool } from "../../ui/tool.tsx"
import styles from "./message-bar.module.css"

/** The actions of the bar above the open mail; absent ones are not available now. */
export interface MessageActions {
  back(): void
  next: (() => void) | undefined
  previous: (() => void) | undefined
  unread: (() => void) | undefined
  save: (() => void) | undefined
  remove: (() => void) | undefined
}

export function MessageBar({ back, next, previous, unread, save, remove }: MessageActions) {
  return (
    <div className={styles.bar}>
      <div className={styles.back}>
        <Tool label="Back to the list" shortcut="u" icon={IconArrowLeft} run={back} />
      </div>
      <Tool label="Newer message" shortcut="k" icon={IconChevronUp} run={previous} />
      <Tool label="Older message" shortcut="j" icon={IconChevronDown} run={next} />
      <span className={styles.gap} />
      <Tool label="Mark as unread" shortcut="U" icon={IconMail} run={unread} />
      {save && <Tool label="Download .eml" shortcut="d" icon={IconDownload} run={save} />}
      {remove && <Tool label="Delete" shortcut="#" icon={IconTrash} run={remove} />}
      <div className={styles.close}>
        <Tool label="Close" shortcut="Escape" icon={IconX} run={back} />
      </div>
    </div>
  )
}
