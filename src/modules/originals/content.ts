import { firstOfEach } from "../../inbound/header-fields.ts"
import type { ParseMessage } from "../../inbound/parse-thread.ts"
import { textDocument } from "../../mail/text-html.ts"
import type { Store } from "../../store/store.ts"
import type { Email, EmailContent } from "../emails/index.ts"
import { findOriginal } from "./store.ts"

/** The content of a received message, parsed when it is read. */
export const originalContent =
  (store: Pick<Store, "read">, parse: ParseMessage) =>
  async ({ id, projectId, sourceType }: Email): Promise<EmailContent | undefined> => {
    const raw = await findOriginal(store.read, id)
    if (raw === undefined) return undefined
    const { html, text, headers, attachments, complete, damaged } = await parse(raw, projectId)
    // On mail that came in it is ours: what others wrote in its place was renamed.
    const isShown = (name: string) =>
      (sourceType === "INBOUND" && name === "Authentication-Results") || !hiddenHeaders.test(name)
    const shown = headers.filter(({ name }) => isShown(name))
    return {
      html: html ?? (text === null ? null : textDocument(text)),
      isTextOnly: html === null,
      text,
      headers: firstOfEach(shown),
      attachments,
      notice: !complete ? incomplete : damaged ? broken : undefined,
    }
  }

const incomplete = "This message is too large or too broken to be shown in full. Its source has all of it."

const broken = "A part of this message is not the base64 that it says it is. What could not be decoded is left out."

/** MIME headers, trace fields and signatures are not shown (contract A4.5.4). */
const hiddenHeaders = /^(?:mime-version|content-.*|received|dkim-signature|arc-.*|authentication-results)$/i
