import type { JsonObject } from "../kernel/json.ts"
import type { Draft } from "./compose.ts"

/** What a message is made of before it is rendered: values of JSON only, so that another thread can make it too. */
export interface MessageSource {
  readonly shared: SharedSource
  readonly own: OwnSource
}

/** What many messages have in common, such as those of a campaign. */
export interface SharedSource extends Pick<Draft, "projectId" | "stream" | "bulk" | "automatic" | "list" | "headers"> {
  /** A template, or literal text when `literal`. */
  readonly body: string
  /** As the body; null: the text part is made from the HTML. */
  readonly text: string | null
  readonly literal: boolean
  /** Of marketing mail only (contract A7.2.3). */
  readonly footer: { readonly postalAddress: string | null } | null
  /** Whether it can be unsubscribed from although its content has no link for that (contract A7.1.1). */
  readonly offersUnsubscribe: boolean
  readonly isTracked: boolean
}

/** The rest of it. */
export interface OwnSource
  extends Pick<Draft, "id" | "envelopeFrom" | "from" | "to" | "replyTo" | "subject" | "date" | "messageId"> {
  /** Null for mail that goes to an address, not to a contact. */
  readonly contactId: string | null
  readonly variables: JsonObject
  readonly locale: string
}
