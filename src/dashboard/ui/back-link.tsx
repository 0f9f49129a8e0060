import { Link } from "wouter"
import styles from "./back-link.module.css"

/** The way back from a screen that stands alone, without the navigation of a project. */
export const BackLink = ({ className = "" }: { className?: string | undefined }) => (
  <Link href="/" className={`${styles.back} ${className}`}>
    Back
  </Link>
)
