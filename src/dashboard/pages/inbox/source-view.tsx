import { Button, Checkbox, Skeleton } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { IconDownload } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import type { EmailRecord } from "../../api/emails.ts"
import { getSource, getSourceStart } from "../../api/emails.ts"
import { reasonOf } from "../../api/refusal.ts"
import { CopyButton } from "../../ui/copy.tsx"
import { byteSize } from "../../ui/format.ts"
import { ScrollRegion } from "../../ui/scroll-region.tsx"
import styles from "./text-view.module.css"

/** Attachments make sources of many megabytes, too much for a text view. */
const shownBytes = 512 * 1024

/** The raw message. */
export function SourceView({ email }: { email: EmailRecord }) {
  const [wrap, setWrap] = useState(true)
  const { data, error } = useQuery({
    queryKey: ["source", email.projectId, email.id],
    queryFn: ({ signal }) => getSourceStart(email.projectId, email.id, shownBytes, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30_000,
  })
  return (
    <div className={styles.column}>
      <div className={styles.bar}>
        <span className={styles.note}>
          {data &&
            (data.complete
              ? byteSize(data.text.length)
              : `The first ${byteSize(shownBytes)}; download it for the rest`)}
        </span>
        <Checkbox
          size="xs"
          label="Wrap lines"
          checked={wrap}
          onChange={(event) => setWrap(event.currentTarget.checked)}
        />
        {data && <CopyButton text={data.text} label="Copy source" />}
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconDownload size={14} />}
          onClick={() => saveSource(email)}
        >
          Download .eml
        </Button>
      </div>
      <div className={styles.view}>
        {data ? (
          <ScrollRegion className={`${styles.text} ${styles.source}`} label="Message source" nowrap={!wrap}>
            {data.text}
          </ScrollRegion>
        ) : error ? (
          <p>{error.message}</p>
        ) : (
          <Skeleton height={200} radius="lg" />
        )}
      </div>
    </div>
  )
}

/** Saves the whole message as a file that mail programs open. */
export async function saveSource({ projectId, id, subject }: EmailRecord): Promise<void> {
  try {
    const url = URL.createObjectURL(await getSource(projectId, id))
    const link = document.createElement("a")
    link.href = url
    link.download = `${fileName(subject) || id}.eml`
    link.click()
    setTimeout(() => URL.revokeObjectURL(url), 60_000)
  } catch (cause) {
    notifications.show({ color: "red", title: "Not downloaded", message: reasonOf(cause) })
  }
}

const fileName = (subject: string): string =>
  subject
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60)
