/**
 * What recipients read of ours: the footer of marketing mail and the hosted pages (contract A7.2.3, A7.4). `{sender}` is a
 * name of any language that cannot be inflected, `{address}` an email address. "News" is what only subscribers get.
 */
export interface Texts {
  /** Why the mail came; the link `unsubscribe` follows. Holds `{sender}`. */
  readonly footer: string
  /** Links and buttons */
  readonly unsubscribe: string
  readonly subscribe: string
  readonly subscribeAgain: string
  readonly save: string
  /** Headings of the pages before and after */
  readonly askUnsubscribe: string
  readonly askSubscribe: string
  readonly unsubscribed: string
  readonly subscribed: string
  /** The question of the page before unsubscribing. Holds `{sender}` and `{address}`. */
  readonly stop: string
  /** What follows from being unsubscribed, or subscribed. Hold `{sender}` and `{address}`. */
  readonly noMore: string
  readonly willSend: string
  /** Transactional mail goes on. */
  readonly stillComes: string
  /** Heading of the page with a choice; the question holds `{sender}` and `{address}`. */
  readonly preferences: string
  readonly choice: string
  readonly yes: string
  readonly no: string
  readonly saved: string
  readonly chooseOne: string
  /** A link that is not ours, or is cut short. */
  readonly badLink: string
  readonly badLinkHelp: string
  /** The contact has been deleted. */
  readonly gone: string
}
