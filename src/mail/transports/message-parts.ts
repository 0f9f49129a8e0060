import { compose } from "../compose.ts"
import { dkimSigner } from "../dkim.ts"
import { createDraftMaker, type MadeDraft } from "../draft-maker.ts"
import { linksWith } from "../links.ts"
import { createRenderer, ordinaryMs, type RendererOptions } from "../render/index.ts"
import type { Outgoing } from "../transport.ts"
import { deserializeKeys, type SerializedKeys, serializeKeys } from "./serialized-message.ts"
import type { MessageParts, SharedParts } from "./unmade.ts"

type SharedJson = Omit<SharedParts, "signing"> & {
  readonly signing?: { readonly domain: string; readonly keys: SerializedKeys }
}
type OwnJson = Omit<MessageParts, "shared">

export const textOfShared = ({ source, signing, links }: SharedParts): string =>
  JSON.stringify({
    source,
    links,
    ...(signing && { signing: { domain: signing.domain, keys: serializeKeys(signing.keys) } }),
  } satisfies SharedJson)

export const textOfOwn = ({ own, signedAt }: MessageParts): string =>
  JSON.stringify({ own, signedAt } satisfies OwnJson)

export interface MadeMessage {
  readonly message: Outgoing
  /** The addresses of its tracked links by their keys: they must be stored before the message begins to leave. */
  readonly targets: ReadonlyMap<string, string>
}

/** Makes a message from the text of its own parts. Rejects when it cannot be made, or takes too long for this thread. */
export type MakeFromParts = (own: string) => Promise<MadeMessage>

/** A thread has the templates of few contents at once. */
const maxEntries = 50
/** After so many messages in a row that could not be made, no other of that content is tried. */
const mostFailures = 3

/**
 * Makes messages on a thread, from texts that `textOfShared` and `textOfOwn` have made. They have the time of ordinary ones:
 * what takes longer is taken from the allowance of its project (contract A3.6), which is not known to the thread.
 */
export function createPartsReader({ now }: Pick<RendererOptions, "now"> = {}): (shared: string) => MakeFromParts {
  const { load, stretch } = createRenderer({ maxEntries, now })
  const makeDraft = createDraftMaker({
    renderer: { load, stretch: (projectId) => stretch(projectId, { ms: ordinaryMs }) },
    readLarge: () => Promise.reject(new Error("The HTML is large.")),
  })

  return (shared) => {
    const { source, signing, links } = JSON.parse(shared) as SharedJson
    const keys = signing && deserializeKeys(signing.keys)
    const linksOfMessages = linksWith(links)
    let failures = 0

    async function draftOf(own: OwnJson["own"]): Promise<MadeDraft> {
      if (failures >= mostFailures) throw new Error("Messages of this content cannot be made by the thread.")
      try {
        const made = await makeDraft({ shared: source, own }, linksOfMessages)
        failures = 0
        return made
      } catch (cause) {
        failures++
        throw cause
      }
    }

    return async (text) => {
      const { own, signedAt } = JSON.parse(text) as OwnJson
      const { draft, targets } = await draftOf(own)
      const signer = signing && keys && dkimSigner({ domain: signing.domain, keys, at: signedAt })
      return { message: compose(draft, signer), targets }
    }
  }
}
