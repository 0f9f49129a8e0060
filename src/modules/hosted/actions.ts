import { eq } from "drizzle-orm"
import type { Engine } from "../../engine.ts"
import { pickLocale } from "../../mail/render/index.ts"
import type { Db } from "../../store/database.ts"
import { idParam } from "../../store/dialect.ts"
import { prepare } from "../../store/prepare.ts"
import { type Contact, type Contacts, contactTable } from "../contacts/index.ts"
import type { Emails } from "../emails/index.ts"
import type { Projects } from "../projects/index.ts"
import type { Visitor } from "./pages.ts"

/** What a token identifies: a contact, and the message that contained the link. */
export interface Recipient {
  readonly contactId: string
  readonly emailId: string
}

export interface HostedDeps extends Pick<Engine, "store"> {
  readonly projects: Pick<Projects, "findUndeleted">
  readonly contacts: Pick<Contacts, "setSubscribedIn">
  readonly emails: Pick<Emails, "recordUnsubscribe">
}

/** A query without a project: the signature of the token replaces that check. */
const byId = prepare((db) =>
  db
    .select()
    .from(contactTable)
    .where(eq(contactTable.id, idParam("id"))),
)

async function findContact(db: Db, id: string): Promise<Contact | undefined> {
  const [row] = await byId(db, { id })
  return row
}

/** The actions of recipients, also in a disabled project (contract A7.4, B9.4.5). */
export function createHostedActions({ store, projects, contacts, emails }: HostedDeps) {
  /** Undefined when the project is deleted. */
  async function visitorOf({ projectId, email, subscribed, data }: Contact): Promise<Visitor | undefined> {
    const project = await projects.findUndeleted(projectId)
    if (project === undefined) return undefined
    const language = pickLocale(data.locale, project.language)
    return { language, sender: project.name, address: email, subscribed }
  }

  return {
    /** Undefined when the contact, or its project, no longer exists. */
    async find({ contactId }: Recipient): Promise<Visitor | undefined> {
      const contact = await findContact(store.read, contactId)
      return contact && visitorOf(contact)
    },

    /**
     * Subscribes or unsubscribes the recipient. Only a real change emits a signal, and is recorded with the message
     * that contained the link (contract B1.1.5). Undefined when the contact, or its project,
     * is deleted.
     */
    async setSubscribed(
      { contactId, emailId }: Recipient,
      subscribed: boolean,
      reason: "link" | "one_click",
    ): Promise<Visitor | undefined> {
      const found = await findContact(store.read, contactId)
      if (found === undefined) return undefined
      const contact = await store.write(found.projectId, async (unit) => {
        const known = await findContact(unit.db, contactId)
        if (known === undefined || known.subscribed === subscribed) return known
        await contacts.setSubscribedIn(unit, known.projectId, contactId, subscribed, reason)
        if (!subscribed) await emails.recordUnsubscribe(unit, emailId)
        return { ...known, subscribed }
      })
      return contact && visitorOf(contact)
    },
  }
}

export type HostedActions = ReturnType<typeof createHostedActions>
