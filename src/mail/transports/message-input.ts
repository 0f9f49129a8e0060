import { compose } from "../compose.ts"
import { dkimSigner } from "../dkim.ts"
import { createDraftMaker, type MadeDraft } from "../draft-maker.ts"
import { linksWith } from "../links.ts"
import { createRenderer, ordinaryMs, type RendererOptions } from "../render/index.ts"
import type { Outgoing } from "../transport.ts"
import type { MessageInput, SharedInput } from "./lazy-message.ts"
import { deserializeKeys, type SerializedKeys, serializeKeys } from "./serialized-message.ts"

type SharedJson = Omit<SharedInput, "signing"> & {
  readonly signing?: { readonly domain: string; readonly keys: SerializedKeys }
}
type OwnJson = Omit<MessageInput, "shared">

export const textOfShared = ({ source, signing, links }: SharedInput): string =>
  JSON.stringify({
    source,
    links,
    ...(signing && { signing: { domain: signing.domain, keys: serializeKeys(signing.keys) } }),
  } satisfies SharedJson)

export const textOfOwn = ({ own, signedAt }: MessageInput): string =>
  JSON.stringify({ own, signedAt } satisfies OwnJson)

export interface ComposedMessage {
  readonly message: Outgoing
  /** The URLs of its tracked links by their keys, which must be stored before the hand-over begins. */
  readonly targets: ReadonlyMap<string, string>
}

/** Composes a message from its own input as text. Rejects when it cannot be composed, or takes too long for this thread. */
export type ComposeInput = (own: string) => Promise<ComposedMessage>

/** Compiled templates that are cached: a thread works on few contents at a time. */
const maxEntries = 50
/** Failures in a row after which no other message of the same content is tried. */
const mostFailures = 3

/**
 * Composes messages on a thread, from the results of `textOfShared` and `textOfOwn`. Each has only the time that is not
 * charged to its project: the thread does not know the allowance of the project (contract A3.6).
 */
export function createInputReader({ now }: Pick<RendererOptions, "now"> = {}): (shared: string) => ComposeInput {
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
      if (failures >= mostFailures) throw new Error("Messages of this content cannot be composed by the thread.")
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
