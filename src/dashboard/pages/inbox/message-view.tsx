import { Button, Skeleton, Tabs } from "@mantine/core"
import { useMemo, useState } from "react"
import { ApiError } from "../../api/http.ts"
import type { InboxMail } from "../../api/inbox.ts"
import { useCommands } from "../../context/commands.tsx"
import { useSession } from "../../context/session.ts"
import { useEmail } from "../../parts/mail-feed/feed.ts"
import { Note } from "../../ui/note.tsx"
import { PreviewWidthControl, usePreviewWidth } from "../../ui/preview-width.tsx"
import { remoteHosts } from "../../ui/remote-content.ts"
import tabs from "../../ui/tabs.module.css"
import { Attachments } from "./attachments.tsx"
import { HeadersView } from "./headers-view.tsx"
import { HtmlView } from "./html-view.tsx"
import { MessageHead } from "./message-head.tsx"
import styles from "./message-view.module.css"
import { OtherProject } from "./other-project.tsx"
import { SenderChecks } from "./sender-checks.tsx"
import { SourceView } from "./source-view.tsx"
import { TextView } from "./text-view.tsx"
import { type Part, partCommands } from "./view-commands.ts"

const partNames: Record<Part, string> = { html: "HTML", text: "Text", headers: "Headers", source: "Source" }

/** One mail: its head, and its parts in tabs. */
export function MessageView({ id }: { id: string }) {
  const { query, email, record } = useEmail(id)
  if (query.error instanceof ApiError && query.error.status === 404) return <OtherProject id={id} />
  if (query.error && !email) {
    return (
      <div className={styles.missing} role="alert">
        <h1>The message could not be loaded</h1>
        <p>{query.error.message}</p>
        <Button onClick={() => query.refetch()}>Try again</Button>
      </div>
    )
  }
  return (
    <article className={styles.message} aria-label="Message" aria-busy={!email}>
      {record ? (
        <MessageHead email={record} delivery={email}>
          {email && <SenderChecks email={email} />}
          {email?.notice && <Note>{email.notice}</Note>}
          {email && <Attachments email={email} />}
        </MessageHead>
      ) : (
        <HeadSkeleton />
      )}
      {email && <Parts email={email} />}
    </article>
  )
}

function Parts({ email }: { email: InboxMail }) {
  const { sandbox } = useSession().config
  const [chosen, choose] = useState<Part | null>(null)
  const [remote, setRemote] = useState(false)
  const hosts = useMemo(() => remoteHosts(email.html ?? ""), [email.html])
  const [width, setWidth] = usePreviewWidth()
  const parts: Part[] = [...(email.html === null || email.textOnly ? [] : ["html" as const]), "text", "headers"]
  if (sandbox) parts.push("source")
  const part = chosen ?? parts[0] ?? "text"
  useCommands(
    partCommands({
      parts,
      names: partNames,
      choose,
      width: part === "html" ? () => setWidth(width === "wide" ? "phone" : "wide") : null,
      remote: part === "html" && !remote && hosts.length > 0 ? () => setRemote(true) : null,
    }),
  )

  return (
    <Tabs
      className={styles.tabs ?? ""}
      classNames={{ tab: tabs.tab ?? "", list: tabs.list ?? "", panel: styles.panel ?? "" }}
      value={part}
      onChange={(value) => choose(parts.find((known) => known === value) ?? null)}
      keepMounted={false}
      variant="none"
    >
      <div className={styles.bar}>
        <Tabs.List aria-label="Parts of the message">
          {parts.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {partNames[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {part === "html" && <PreviewWidthControl width={width} onWidth={setWidth} />}
      </div>
      <Tabs.Panel value={part}>
        {part === "html" && email.html !== null && (
          <HtmlView email={email} width={width} remote={remote} hosts={hosts} onRemote={() => setRemote(true)} />
        )}
        {part === "text" && <TextView text={email.text ?? ""} />}
        {part === "headers" && <HeadersView headers={email.headers} />}
        {part === "source" && <SourceView email={email} />}
      </Tabs.Panel>
    </Tabs>
  )
}

function HeadSkeleton() {
  return (
    <div className={styles.skeleton} aria-hidden="true">
      <Skeleton height={22} width="55%" />
      <Skeleton height={38} width="70%" />
      <Skeleton height={14} width="40%" />
    </div>
  )
}
