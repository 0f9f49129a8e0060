import { Link } from "wouter"
import styles from "./editor/editor.module.css"

/** The pages of one workflow. */
export const WorkflowTabs = ({ id, current }: { id: string; current: "steps" | "executions" }) => (
  <nav className={styles.tabs} aria-label="Pages of the workflow">
    <Link href={`/workflows/${id}`} {...(current === "steps" ? { "aria-current": "page" as const } : {})}>
      Steps
    </Link>
    <Link
      href={`/workflows/${id}/executions`}
      {...(current === "executions" ? { "aria-current": "page" as const } : {})}
    >
      Executions
    </Link>
  </nav>
)
