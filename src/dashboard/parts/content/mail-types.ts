import type { MailType } from "../../api/templates.ts"

/** The names of the types of mail, and their meaning for recipients (contract A4.3.5, A7.2.3). */
export const typeNames: Readonly<Record<MailType, string>> = {
  TRANSACTIONAL: "Transactional",
  MARKETING: "Marketing",
  HEADLESS: "Headless",
}

export const typeMeanings: Readonly<Record<MailType, string>> = {
  TRANSACTIONAL: "Receipts, passwords, alerts. Goes to everyone.",
  MARKETING: "News and offers. Goes to subscribed contacts, with an unsubscribe link at its end.",
  HEADLESS: "Like marketing, but without our footer: you place the unsubscribe link.",
}
