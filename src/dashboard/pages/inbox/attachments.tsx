import {
  type Icon,
  IconFile,
  IconFileSpreadsheet,
  IconFileText,
  IconFileZip,
  IconMovie,
  IconMusic,
  IconPhoto,
} from "@tabler/icons-react"
import type { Email } from "../../api/emails.ts"
import { attachmentUrl } from "../../api/emails.ts"
import { byteSize } from "../../ui/format.ts"
import styles from "./attachments.module.css"

/** The attachments; a click saves one. */
export function Attachments({ email }: { email: Email }) {
  if (email.attachments.length === 0) return null
  return (
    <ul className={styles.list} aria-label="Attachments">
      {email.attachments.map(({ filename, contentType, size, disposition }, index) => {
        const Icon = iconFor(contentType)
        const name = inOrder(filename)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: an attachment is identified by its index
          <li key={index}>
            <a
              className={styles.chip}
              href={attachmentUrl(email.projectId, email.id, index)}
              download={filename}
              title={`Save ${name} (${contentType})`}
            >
              <Icon size={17} stroke={1.5} />
              <FileName name={name} />
              <span className={styles.size}>
                {byteSize(size)}
                {disposition === "inline" && ", inline"}
              </span>
            </a>
          </li>
        )
      })}
    </ul>
  )
}

/** With a sign in the place of characters that turn the direction: they would show `exe.png` for `\u202egnp.exe`. */
const inOrder = (filename: string): string => filename.replace(/[\u202a-\u202e\u2066-\u2069]/g, "\ufffd")

/** How many characters before the extension are always readable: names often differ there alone. */
const keptCharacters = 10

/** A name that is too long is cut in the middle, so that its end stays readable. */
function FileName({ name }: { name: string }) {
  const extension = /\.[^.]{1,10}$/.exec(name)?.[0].length ?? 0
  const at = Math.max(0, name.length - extension - keptCharacters)
  return (
    <span className={styles.name}>
      <span className={styles.stem}>{name.slice(0, at)}</span>
      <span>{name.slice(at)}</span>
    </span>
  )
}

function iconFor(contentType: string): Icon {
  const [kind, sub = ""] = contentType.toLowerCase().split("/")
  if (kind === "image") return IconPhoto
  if (kind === "audio") return IconMusic
  if (kind === "video") return IconMovie
  if (/zip|compressed|tar/.test(sub)) return IconFileZip
  if (/csv|excel|spreadsheet/.test(sub)) return IconFileSpreadsheet
  return kind === "text" || /pdf|word|document/.test(sub) ? IconFileText : IconFile
}
