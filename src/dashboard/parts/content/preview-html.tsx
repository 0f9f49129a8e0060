import { Button } from "@mantine/core"
import { useLocalStorage } from "@mantine/hooks"
import { IconPhotoOff } from "@tabler/icons-react"
import { useMemo } from "react"
import type { Preview } from "../../api/templates.ts"
import { HtmlFrame } from "../../ui/html-frame.tsx"
import { PreviewStage, type PreviewWidth } from "../../ui/preview-width.tsx"
import { remoteHosts } from "../../ui/remote-content.ts"
import styles from "./preview-pane.module.css"

/** Uploaded images come from this server; its policy for the frame allows them. */
const ownImages = `${location.origin}/uploads/`

interface PreviewHtmlProps {
  preview: Preview
  sender: string
  width: PreviewWidth
}

/** The rendered mail, below the line that a list of mails shows. */
export function PreviewHtml({ preview, sender, width }: PreviewHtmlProps) {
  const [remote, setRemote] = useLocalStorage({
    key: "mailstead.preview-remote",
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const hosts = useMemo(() => remoteHosts(preview.html.replaceAll(ownImages, "")), [preview.html])
  return (
    <>
      <div className={styles.subject}>
        <span className={styles.sender} dir="auto" title={sender}>
          {sender}
        </span>
        <strong dir="auto" title={preview.subject}>
          {preview.subject || "(no subject)"}
        </strong>
      </div>
      {hosts.length > 0 && !remote && (
        <div className={styles.remote} role="note">
          <IconPhotoOff size={16} stroke={1.6} />
          <span>Pictures and styles from elsewhere are off</span>
          <Button variant="subtle" size="compact-sm" onClick={() => setRemote(true)}>
            Load
          </Button>
        </div>
      )}
      <PreviewStage width={width}>
        {(className) => (
          <HtmlFrame
            className={className}
            title="Mail preview"
            html={preview.html}
            remote={remote === true && hosts.length > 0}
          />
        )}
      </PreviewStage>
    </>
  )
}
