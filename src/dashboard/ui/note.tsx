import { IconAlertTriangle } from "@tabler/icons-react"
import type { ReactNode } from "react"
import styles from "./note.module.css"

/** A note about the content of a page, with possible actions. */
export const Note = ({ children, action }: { children: ReactNode; action?: ReactNode }) => (
  <div className={styles.note} role="note">
    <IconAlertTriangle size={16} stroke={1.7} />
    <p>{children}</p>
    {action}
  </div>
)
