import styles from "./skip-link.module.css"

export const contentId = "content"

/** The first tab stop, which skips the navigation. It does not change the URL. */
export const SkipLink = () => (
  <a
    className={styles.link}
    href={`#${contentId}`}
    onClick={(event) => {
      event.preventDefault()
      document.getElementById(contentId)?.focus()
    }}
  >
    Skip to the content
  </a>
)
