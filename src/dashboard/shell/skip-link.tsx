import styles from "./skip-link.module.css"

export const contentId = "content"

/** The first stop of the Tab key: leads past the navigation. The address stays, for it is that of the page. */
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
