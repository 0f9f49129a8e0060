import { Fragment } from "react"
import { CopyButton } from "../../ui/copy.tsx"
import { count } from "../../ui/format.ts"
import { ScrollRegion } from "../../ui/scroll-region.tsx"
import styles from "./text-view.module.css"

/** A stranger may send as much as a message holds, and a browser takes minutes to show that. */
const shownCharacters = 256 * 1024
const maxLinks = 1_000

/** The beginning of the plain text part, with links for its first URLs. */
export function TextView({ text }: { text: string }) {
  return (
    <div className={styles.column}>
      {text.length > shownCharacters && (
        <p className={styles.bar}>
          The first {count(shownCharacters, "character")} of {count(text.length, "character")}; copy it for the rest
        </p>
      )}
      <div className={styles.view}>
        <div className={styles.tools}>
          <CopyButton text={text} label="Copy text" />
        </div>
        <ScrollRegion className={`${styles.text} ${styles.read}`} label="Message text">
          {withLinks(text.slice(0, shownCharacters))}
        </ScrollRegion>
      </div>
    </div>
  )
}

const address = /(https?:\/\/[^\s<>"'`]*[^\s<>"'`.,;:!?)\]}])/g

/** Every second piece is an address, because the pattern captures it. */
function withLinks(text: string) {
  const pieces = text.split(address)
  const rest = pieces.splice(2 * maxLinks).join("")
  let at = 0
  const linked = pieces.map((piece, index) => {
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
  return [...linked, <Fragment key="rest">{rest}</Fragment>]
}
