import { VisuallyHidden } from "@mantine/core"
import { useDocumentTitle, useMediaQuery } from "@mantine/hooks"
import { useEffect, useRef, useState } from "react"
import { Redirect, Route, Switch, useLocation, useSearch } from "wouter"
import { emailStatuses } from "../../api/emails.ts"
import { usePreviousPath } from "../../context/return-focus.tsx"
import { useSession } from "../../context/session.ts"
import { useListView } from "../../list/list-view.ts"
import { everything, type Filter, isFiltered } from "../../parts/mail-feed/cache.ts"
import { useEmail, useEmails, useUnreadCount } from "../../parts/mail-feed/feed.ts"
import { useLiveFeed } from "../../parts/mail-feed/live-feed.tsx"
import { useMarks } from "../../parts/mail-feed/use-marks.ts"
import { count } from "../../ui/format.ts"
import { useDeletion } from "./deletion.tsx"
import { EmptyInbox, ListError, NothingFound, NothingOpen } from "./empty.tsx"
import { useInboxCommands } from "./inbox-commands.ts"
import styles from "./inbox-page.module.css"
import { ListPane } from "./list-pane.tsx"
import { MailList, MailListSkeleton } from "./mail-list.tsx"
import { focusRow } from "./mail-row.tsx"
import { MessageBar } from "./message-bar.tsx"
import { MessageView } from "./message-view.tsx"
import { useSource } from "./use-source.ts"

const shape = { filter: "status", values: emailStatuses, sorts: ["createdAt"] } as const

export default function InboxRoutes() {
  return (
    <Switch>
      <Route path="/inbox/:id?">{({ id }) => <InboxPage openId={id} />}</Route>
      <Route>
        <Redirect to="/inbox" replace />
      </Route>
    </Switch>
  )
}

/** The inbox: the list and, next to it or instead of it on a narrow screen, the open mail. */
function InboxPage({ openId }: { openId: string | undefined }) {
  const { project } = useSession()
  const [, go] = useLocation()
  const narrow = useMediaQuery("(max-width: 47.99em)", false, { getInitialValueInEffect: false })
  const list = useListView(shape)
  const kept = useSearch()
  const rowQuery = kept && `?${kept}`
  const [cursor, setCursor] = useState<string>()
  const searchRef = useRef<HTMLInputElement>(null)

  // clearing the search takes effect at once
  const { source, setSource } = useSource()
  const filter: Filter = { search: list.text === "" ? "" : list.view.search, status: list.view.status, source }
  const { query, emails, total } = useEmails(filter)
  const all = useEmails(everything)
  const { record: opened, email: openedMail } = useEmail(openId)
  const isLinked = usePreviousPath() === null
  const live = useLiveFeed()
  const marks = useMarks(project.id)
  const unread = useUnreadCount()
  const deletion = useDeletion()
  const title = opened ? `${opened.subject} · Inbox` : "Inbox"
  useDocumentTitle(`${unread > 0 ? `(${unread.toLocaleString("en")}) ` : ""}${title} · Mailstead`)

  // opening marks as read, staying open does not: an open mail may be marked unread again
  const { read } = marks
  useEffect(() => {
    if (openId) read(openId)
  }, [openId, read])

  // on a narrow screen the list is inert while a mail is open, so the focus moves to the mail
  const pane = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (narrow && openId) pane.current?.focus({ preventScroll: true })
  }, [narrow, openId])

  const open = (id: string | undefined, replace = false) => go(`/inbox${id ? `/${id}` : ""}${rowQuery}`, { replace })
  const neighbour = (id: string, step: 1 | -1) => emails[emails.findIndex((email) => email.id === id) + step]
  const afterDeletion = (id: string) => {
    const next = neighbour(id, 1) ?? neighbour(id, -1)
    setCursor(next?.id)
    if (openId === id) open(narrow ? undefined : next?.id, true)
    if (next) requestAnimationFrame(() => focusRow(next.id))
  }
  const deleteOne = (id: string) => {
    const email = id === openId ? opened : emails.find((known) => known.id === id)
    if (email)
      deletion?.one(
        email,
        () => afterDeletion(id),
        () => requestAnimationFrame(() => focusRow(id)),
      )
  }
  const deleteAll = deletion ? () => deletion.all(all.total, () => open(undefined, true)) : undefined
  const allRead = () => {
    const newest = all.emails[0]
    if (newest) marks.allRead(newest.id)
  }
  const actions = { refresh: live.refresh, allRead, deleteAll }

  const message = useInboxCommands({
    rows: emails,
    openId,
    opened,
    beside: openedMail,
    isLinked,
    cursor,
    setCursor,
    open,
    narrow,
    searchRef,
    clear: list.text === "" ? null : list.clear,
    markUnread: marks.unread,
    deleteOne: deletion && deleteOne,
    actions,
  })

  const showAll = () => {
    setSource(null)
    list.clear()
  }
  const nothing = all.query.isSuccess && all.emails.length === 0 && !isFiltered(filter) && !openId
  const summary = isFiltered(filter)
    ? `${total.toLocaleString("en")} found`
    : total > 0
      ? `${count(total, "message")}${unread > 0 ? `, ${unread.toLocaleString("en")} unread` : ""}`
      : ""

  return (
    <main
      className={`ms-inbox ${styles.page}`}
      data-open={openId ? true : undefined}
      data-nothing={nothing || undefined}
    >
      <div className={`ms-pane ${styles.list}`} inert={narrow && openId !== undefined}>
        <ListPane
          summary={query.isSuccess ? summary : ""}
          live={live.state}
          search={list.text}
          onSearch={list.setText}
          searchRef={searchRef}
          filter={filter}
          onStatus={(status) => list.change({ status })}
          onSource={setSource}
          actions={actions}
        >
          {nothing && narrow ? (
            <EmptyInbox />
          ) : query.isError && emails.length === 0 ? (
            <ListError reason={query.error.message} onRetry={() => void query.refetch()} />
          ) : query.isPending ? (
            <MailListSkeleton />
          ) : emails.length === 0 && isFiltered(filter) ? (
            <NothingFound onClear={showAll} />
          ) : (
            <MailList
              emails={emails}
              openId={openId}
              rowQuery={rowQuery}
              cursorId={cursor ?? openId}
              onCursor={setCursor}
              more={{
                has: query.hasNextPage,
                loading: query.isFetchingNextPage,
                failed: query.isFetchNextPageError,
                load: () => void query.fetchNextPage(),
              }}
            />
          )}
        </ListPane>
      </div>
      <div ref={pane} className={styles.message} tabIndex={-1}>
        {openId ? (
          <>
            <MessageBar {...message} />
            <MessageView key={openId} id={openId} />
          </>
        ) : nothing ? (
          !narrow && <EmptyInbox />
        ) : (
          <NothingOpen />
        )}
      </div>
      <VisuallyHidden role="status" aria-live="polite">
        {live.arrival}
      </VisuallyHidden>
    </main>
  )
}
