import { defineSignal } from "../../bus/signal.ts"

/** A contact was created, or something of it has changed; its deletion is no news. */
export const contactChanged = defineSignal<{ contactId: string }>("contact.changed")
