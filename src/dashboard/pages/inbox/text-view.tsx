import { Fragment } from "react"
import { CopyButton } from "../../ui/copy.tsx"
import { ScrollRegion } from "../../ui/scroll-region.tsx"
import styles from "./text-view.module.css"

/** The plain text part, with links for its URLs. */
export function TextView({ text }: { text: string }) {
  return (
    <div className={styles.view}>
      <div className={styles.tools}>
        <CopyButton text={text} label="Copy text" />
      </div>
      <ScrollRegion className={`${styles.text} ${styles.read}`} label="Message text">
        {withLinks(text)}
      </ScrollRegion>
    </div>
  )
}

const address = /(https?:\/\/[^\s<>"'`]*[^\s<>"'`.,;:!?)\]}])/g

/** Every second piece is an address, because the pattern captures it. */
function withLinks(text: string) {
  let at = 0
  return text.split(address).map((piece, index) => {
    const key = at
    at += piece.length
    return index % 2 === 0 ? (
      <Fragment key={key}>{piece}</Fragment>
    ) : (
      <a key={key} href={piece} target="_blank" rel="noreferrer">
        {piece}
      </a>
    )
  })
}
