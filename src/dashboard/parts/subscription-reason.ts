const reasons: Readonly<Record<string, string>> = {
  api: "by the API",
  link: "by the link in a mail",
  one_click: "by one click in the mail program",
  bounce: "after a bounce",
  complaint: "after a complaint",
  bulk: "by a bulk change",
  workflow: "by a workflow",
}

/** What subscribed or unsubscribed a contact, in words; a reason without words as it is. */
export const formatReason = (reason: unknown): string => (typeof reason === "string" ? (reasons[reason] ?? reason) : "")
