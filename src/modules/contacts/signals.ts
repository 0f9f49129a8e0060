import { defineSignal } from "../../bus/signal.ts"

/** A contact was created, or something of it has changed. */
export const contactChanged = defineSignal<{ contactId: string }>("contact.changed")

/** A contact was deleted, and all that hung on it. */
export const contactRemoved = defineSignal<{ contactId: string }>("contact.removed")
