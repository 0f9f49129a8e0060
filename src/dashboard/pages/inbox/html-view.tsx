import { Button } from "@mantine/core"
import { IconPhotoOff } from "@tabler/icons-react"
import type { Email } from "../../api/emails.ts"
import { bodyUrl } from "../../api/emails.ts"
import { count } from "../../ui/format.ts"
import { PreviewStage, type PreviewWidth } from "../../ui/preview-width.tsx"
import styles from "./html-view.module.css"

interface HtmlViewProps {
  email: Email
  width: PreviewWidth
  remote: boolean
  /** The hosts of remote images and styles. */
  hosts: readonly string[]
  onRemote(): void
}

/**
 * The HTML of the mail, in a frame with its own origin and without scripts. The server's policy on the framed document
 * decides what may be loaded.
 */
export function HtmlView({ email, width, remote, hosts, onRemote }: HtmlViewProps) {
  return (
    <div className={styles.view}>
      {hosts.length > 0 && !remote && (
        <div className={styles.bar} role="note">
          <IconPhotoOff size={16} stroke={1.6} />
          <span className={styles.barText} title={hosts.join(", ")}>
            Remote content is off
            <span className={styles.hosts}>: {hosts.length === 1 ? hosts[0] : count(hosts.length, "server")}</span>
          </span>
          <Button variant="subtle" size="compact-sm" aria-label="Load remote content" onClick={onRemote}>
            Load<span className={styles.hosts}>&nbsp;remote content</span>
          </Button>
        </div>
      )}
      <PreviewStage width={width}>
        {(className) => (
          <iframe
            key={`${email.id}${remote}`}
            className={className}
            title="Message body"
            src={bodyUrl(email.projectId, email.id, remote)}
            sandbox="allow-popups allow-popups-to-escape-sandbox"
            referrerPolicy="no-referrer"
          />
        )}
      </PreviewStage>
    </div>
  )
}
