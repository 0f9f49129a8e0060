/**
 * The texts shown to recipients: the footer of marketing mail and the hosted pages (contract A7.2.3, A7.4). `{sender}`
 * is a name of any language that cannot be inflected, `{address}` an email address. "News" means mail that only
 * subscribers get.
 */
export interface Texts {
  /** Why the mail was sent; the link `unsubscribe` follows. Contains `{sender}`. */
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
  /** The question of the page before unsubscribing. Contains `{sender}` and `{address}`. */
  readonly stop: string
  /** The consequences of being unsubscribed or subscribed. Contain `{sender}` and `{address}`. */
  readonly noMore: string
  readonly willSend: string
  /** Transactional mail is still sent. */
  readonly stillComes: string
  /** Heading of the page with a choice; the question contains `{sender}` and `{address}`. */
  readonly preferences: string
  readonly choice: string
  readonly yes: string
  readonly no: string
  readonly saved: string
  readonly chooseOne: string
  /** An invalid or truncated link. */
  readonly badLink: string
  readonly badLinkHelp: string
  /** The contact has been deleted. */
  readonly gone: string
}
