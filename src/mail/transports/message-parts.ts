import { compose } from "../compose.ts"
import { dkimSigner } from "../dkim.ts"
import { createDraftMaker } from "../draft-maker.ts"
import { linksWith } from "../links.ts"
import { createRenderer } from "../render/index.ts"
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

/** What takes longer, in ms, is made where other projects do not wait for it. */
const mostMs = 20

/** Makes messages on a thread, from texts that `textOfShared` and `textOfOwn` have made. */
export function createPartsReader(): (shared: string) => MakeFromParts {
  const { load, stretch } = createRenderer()
  const makeDraft = createDraftMaker({
    renderer: { load, stretch: (projectId) => stretch(projectId, { ms: mostMs }) },
    readLarge: () => Promise.reject(new Error("The HTML is large.")),
  })

  return (shared) => {
    const { source, signing, links } = JSON.parse(shared) as SharedJson
    const keys = signing && deserializeKeys(signing.keys)
    const linksOfMessages = linksWith(links)
    return async (text) => {
      const { own, signedAt } = JSON.parse(text) as OwnJson
      const { draft, targets } = await makeDraft({ shared: source, own }, linksOfMessages)
      const signer = signing && keys && dkimSigner({ domain: signing.domain, keys, at: signedAt })
      return { message: compose(draft, signer), targets }
    }
  }
}
