import { defineSignal } from "../../bus/signal.ts"

/** A contact was created or changed. */
export const contactChanged = defineSignal<{ contactId: string }>("contact.changed")

/** A contact was deleted with all of its data. */
export const contactRemoved = defineSignal<{ contactId: string }>("contact.removed")
