import { and, eq, ne, sql } from "drizzle-orm"
import type { Db } from "../../../store/database.ts"
import { prepare } from "../../../store/prepare.ts"
import { findEmail } from "../ledger.ts"
import { type Email, emailTable } from "../table.ts"

/** How a provider names a message in a report; null for what it leaves out. */
export interface ReportedMail {
  /** The id that we gave to the provider along with the message. */
  readonly emailId: string | null
  /** The id that the provider gave to the message; or our Message-ID, for a report on mail that it did not send. */
  readonly providerId: string | null
  /** The Message-ID header without its brackets. */
  readonly messageId: string | null
}

const byProviderId = prepare((db) =>
  db
    .select()
    .from(emailTable)
    .where(and(eq(emailTable.providerId, sql.placeholder("providerId")), ne(emailTable.sourceType, "INBOUND")))
    .limit(1),
)

/**
 * The message that a report is about (contract B9.1.4). Our own id comes first: it is known before the receipt, and
 * also when a message was sent again and the provider has several ids for it. Received mail never matches.
 */
export async function findReported(
  db: Db,
  { emailId, providerId, messageId }: ReportedMail,
): Promise<Email | undefined> {
  const known = emailId === null ? undefined : await findOutgoing(db, emailId)
  if (known) return known
  const named = messageId === null ? undefined : await byMessageId(db, messageId)
  if (named) return named
  if (providerId === null || providerId === "") return undefined
  const [row] = await byProviderId(db, { providerId })
  return row ?? (await byMessageId(db, providerId))
}

/** By the Message-ID of a message, which begins with its id. */
async function byMessageId(db: Db, messageId: string): Promise<Email | undefined> {
  const email = await findOutgoing(db, messageId.split("@", 1)[0] ?? "")
  return email?.messageId === messageId ? email : undefined
}

async function findOutgoing(db: Db, id: string): Promise<Email | undefined> {
  const email = await findEmail(db, id)
  return email?.sourceType === "INBOUND" ? undefined : email
}
