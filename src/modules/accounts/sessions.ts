import { sessionMs } from "../../http/session.ts"
import type { Unit } from "../../store/writer.ts"
import type { Client } from "./client.ts"
import type { Session } from "./table.ts"

const longestUserAgent = 300

/** A session that begins now, of a user who has just given a password. */
export const newSession = (
  { now }: Pick<Unit, "now">,
  id: string,
  userId: string,
  { address, userAgent }: Pick<Client, "address" | "userAgent">,
): Session => ({
  id,
  userId,
  userAgent: userAgent.slice(0, longestUserAgent),
  address,
  createdAt: now,
  expiresAt: now + sessionMs,
  confirmedAt: now,
})
