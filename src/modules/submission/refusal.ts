import { DomainError, type ErrorKind } from "../../kernel/errors.ts"

type Reply = readonly [code: number, enhanced: string]

/** The replies to what `POST /v1/send` would refuse (contract B9.6.1). */
const replies: Partial<Record<ErrorKind, Reply>> = {
  malformed: [550, "5.6.0"],
  invalid: [550, "5.6.0"],
  forbidden: [550, "5.7.1"],
  too_large: [552, "5.3.4"],
  too_many: [451, "4.7.1"],
  unavailable: [451, "4.3.0"],
}

/** Sizes are refused with a code of their own, those of the content as those of the whole message. */
const sizes = new Set(["body", "text", "attachments"])

/** The reply to a refusal, with its text; undefined for a fault of the server. */
export function refusalOf(cause: unknown): readonly [...Reply, text: string] | undefined {
  if (!(cause instanceof DomainError)) return undefined
  const isTooBig = cause.extras.errors?.some(({ field, code }) => code === "too_big" && sizes.has(field))
  const reply = isTooBig ? replies.too_large : replies[cause.kind]
  return reply && [...reply, cause.message.replace(/[^\x20-\x7e]/gu, "?")]
}
