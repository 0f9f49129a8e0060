import { createPrivateKey, type KeyObject } from "node:crypto"
import { LRUCache } from "lru-cache"
import { type Composed, type Content, composed } from "../compose.ts"
import { dkimSigner, type SigningKey, type SigningOptions } from "../dkim.ts"
import type { Attachment, Outgoing } from "../transport.ts"

/**
 * A message as another thread is given it, to compose and sign it there. Without attachments it has values of simple types
 * only, because those are handed over without a copy of the strings; with them, they are in shared memory.
 */
export interface SerializedMessage {
  readonly html: string
  readonly text: string
  /** All else that is a matter of text, as JSON. */
  readonly rest: string
  readonly attachments?: readonly Attachment[]
  /** Of a message that was not made by `compose`: its bytes. */
  readonly bytes?: Uint8Array
}

interface Rest extends Omit<Content, "html" | "text" | "attachments"> {
  readonly signing: Signing | undefined
}

type Signing = Omit<SigningOptions, "keys"> & { readonly keys: SerializedKeys }

/** With private keys as PEM texts. */
export type SerializedKeys = readonly (Omit<SigningKey, "privateKey"> & { readonly privateKey: string })[]

export async function serialize(message: Outgoing): Promise<SerializedMessage> {
  const { id, projectId, stream, envelope, from, to, replyTo, subject, headers, messageId } = message
  const { html, text, attachments } = message
  const signer = isComposed(message) ? message.signer : undefined
  const signing = signer && { ...signer.options, keys: serializeKeys(signer.options.keys) }
  // Every field by its name, which takes half the time of spreading.
  const others = {
    id,
    projectId,
    stream,
    envelope,
    from,
    to,
    replyTo,
    subject,
    headers,
    messageId,
    signing,
  } satisfies Rest
  const rest = JSON.stringify(others)
  if (!isComposed(message)) return { html, text, rest, bytes: await message.bytes() }
  return attachments.length === 0 ? { html, text, rest } : { html, text, rest, attachments: attachments.map(shared) }
}

/** Contents in memory that both threads read. */
const sharedContents = new WeakMap<Uint8Array, Uint8Array>()

/** The messages of a campaign have the same attachments, and a copy of them for each would hold up the event loop. */
function shared(attachment: Attachment): Attachment {
  const content = sharedContents.get(attachment.content) ?? sharedCopy(attachment.content)
  sharedContents.set(attachment.content, content)
  return { ...attachment, content }
}

function sharedCopy(content: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(content.byteLength))
  copy.set(content)
  return copy
}

const isComposed = (message: Outgoing): message is Composed => "signer" in message

/** The same message on the other thread. */
export function deserialize({ html, text, rest, attachments = [], bytes }: SerializedMessage): Outgoing {
  const { signing, ...others } = JSON.parse(rest) as Rest
  const signer = signing && dkimSigner({ ...signing, keys: deserializeKeys(signing.keys) })
  const message = composed({ ...others, html, text, attachments }, signer)
  return bytes === undefined ? message : { ...message, mime: () => bytes, bytes: async () => bytes }
}

const pems = new WeakMap<KeyObject, string>()

function pemOf(key: KeyObject): string {
  const pem = pems.get(key) ?? key.export({ type: "pkcs8", format: "pem" }).toString()
  pems.set(key, pem)
  return pem
}

export const serializeKeys = (keys: SigningOptions["keys"]): SerializedKeys =>
  keys.map(({ privateKey, ...key }) => ({ ...key, privateKey: pemOf(privateKey) }))

/** Parsing a key takes longer than signing with it. */
const parsedKeys = new LRUCache<string, KeyObject>({ max: 200 })

function keyOf(pem: string): KeyObject {
  const key = parsedKeys.get(pem) ?? createPrivateKey(pem)
  parsedKeys.set(pem, key)
  return key
}

export const deserializeKeys = (keys: SerializedKeys): SigningOptions["keys"] =>
  keys.map(({ privateKey, ...key }) => ({ ...key, privateKey: keyOf(privateKey) }))
