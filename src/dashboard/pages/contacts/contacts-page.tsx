import { useDocumentTitle, useMediaQuery } from "@mantine/hooks"
import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import { Redirect, Route, Switch, useLocation } from "wouter"
import type { Contact } from "../../api/contacts.ts"
import { deleteContact } from "../../api/contacts.ts"
import { useRelease } from "../../context/leave-guard.ts"
import { useSession } from "../../context/session.ts"
import { dropContact, refetchContactLists, refetchContacts, useContact, useContacts } from "../../queries/contacts.ts"
import { useDeletion } from "../../queries/use-deletion.ts"
import { lazy } from "../../ui/on-demand.tsx"
import { ContactList } from "./contact-list.tsx"
import { focusContact } from "./contact-row.tsx"
import { useContactCommands } from "./contacts-commands.ts"
import styles from "./contacts-page.module.css"
import { useListView, writeView } from "./list-view.ts"
import { useSelection } from "./use-selection.ts"

const ContactPanel = lazy(() => import("./contact-panel.tsx"))

export default function ContactRoutes() {
  return (
    <Switch>
      <Route path="/contacts/:id?">{({ id }) => <ContactsPage openId={id} />}</Route>
      <Route>
        <Redirect to="/contacts" replace />
      </Route>
    </Switch>
  )
}

/** The contacts of the project and, next to them or instead of them on a narrow screen, the open one. */
function ContactsPage({ openId }: { openId: string | undefined }) {
  const { project } = useSession()
  const client = useQueryClient()
  const [, go] = useLocation()
  const narrow = useMediaQuery("(max-width: 47.99em)", false, { getInitialValueInEffect: false })
  const list = useListView()
  const { query, contacts, total } = useContacts(list.view)
  const selection = useSelection(
    list.view,
    contacts.map(({ id }) => id),
  )
  const [cursor, setCursor] = useState<string>()
  const release = useRelease()
  const searchRef = useRef<HTMLInputElement>(null)
  const { data: opened } = useContact(
    openId,
    contacts.find(({ id }) => id === openId),
  )
  useDocumentTitle(`${opened ? `${opened.email} · ` : ""}Contacts · Mailstead`)

  const side = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (narrow && openId) side.current?.focus({ preventScroll: true })
  }, [narrow, openId])

  const open = (id: string | undefined, replace = false) =>
    go(id ? `/contacts/${id}${writeView(list.view, list.part)}` : `/contacts${writeView(list.view)}`, { replace })
  const deletion = useDeletion({
    send: deleteContact,
    done(client, projectId, id) {
      dropContact(client, projectId, id)
      void refetchContactLists(client, projectId)
    },
    failed: refetchContactLists,
  })
  const focusSoon = (id: string) => requestAnimationFrame(() => focusContact(id))
  const remove = ({ id, email }: Contact) => {
    const position = contacts.findIndex((contact) => contact.id === id)
    const next = contacts[position + 1] ?? contacts[position - 1]
    if (openId === id) {
      release()
      open(undefined, true)
    }
    deletion(id, email, () => focusSoon(id))
    setCursor(next?.id)
    if (next) focusSoon(next.id)
  }

  const panel = useContactCommands({
    rows: contacts,
    waiting: query.isPlaceholderData,
    openId,
    cursor,
    setCursor,
    open,
    narrow,
    searchRef,
    clear: list.text !== "" ? list.clear : null,
    selection,
    remove,
    refresh: () => void refetchContacts(client, project.id),
  })

  return (
    <main className={styles.page} data-open={openId ? true : undefined}>
      <div className={styles.list} inert={narrow && openId !== undefined}>
        <ContactList
          list={list}
          query={query}
          contacts={contacts}
          total={total}
          selection={selection}
          openId={openId}
          rowQuery={writeView(list.view, list.part)}
          cursorId={cursor ?? openId}
          onCursor={setCursor}
          searchRef={searchRef}
        />
      </div>
      {openId && (
        <div ref={side} className={styles.side} tabIndex={-1}>
          <ContactPanel
            key={openId}
            id={openId}
            listed={contacts.find(({ id }) => id === openId)}
            part={list.part}
            onPart={list.show}
            {...panel}
          />
        </div>
      )}
    </main>
  )
}
