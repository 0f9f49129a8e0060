import { timingSafeEqual } from "node:crypto"
import { type Secret, signWith } from "../store/secret.ts"

/** The public pages that mail links to (contract A7.4). */
export const pageKinds = ["unsubscribe", "subscribe", "manage"] as const
export type PageKind = (typeof pageKinds)[number]

/** The one-time links of accounts (contract B8.1.3, B8.1.5). */
type AccountLink = "verify" | "reset" | "email" | "setup"

/** A link that has yet to be made: the id of its token's row. */
export interface AccountLinkRef {
  readonly kind: AccountLink
  readonly id: string
}

/** The dashboard page of each. */
const accountPages: Record<AccountLink, string> = { verify: "verify", reset: "reset", email: "verify", setup: "setup" }

/** The input of message links; account links have other keys. */
export interface LinkKeys {
  readonly baseUrl: string
  /** In base64, by their purpose. */
  readonly keys: Readonly<Record<string, string>>
}

export interface Links {
  /**
   * The address of a hosted page for the recipient of a message. The token is signed and opaque, and valid for this
   * kind only.
   */
  page(kind: PageKind, contactId: string, emailId: string): string
  /** The contact and email of a token, or undefined when we have not issued it. */
  readPage(kind: PageKind, token: string): { contactId: string; emailId: string } | undefined
  /** Whether an address is a hosted page of this instance; those are never tracked. */
  isPage(url: string): boolean
  /** The address of the image that reports when a message is opened (contract A7.3.2). */
  open(emailId: string): string
  readOpen(token: string): string | undefined
  /**
   * The redirecting address of a tracked link in a message; `link` is the key of the stored one, 32 hexadecimal digits.
   */
  click(emailId: string, link: string): string
  readClick(token: string): { emailId: string; link: string } | undefined
  /** For another thread that makes messages. */
  keys(): LinkKeys
  /** A link of an account, made from the id of its row: 256 bits. The row determines whether it is still valid. */
  account(kind: AccountLink, id: string): string
  accountToken(kind: AccountLink, id: string): string
}

const idBytes = 16
const macBytes = 16

/**
 * Tokens are ids of 128 bits and an HMAC-SHA256 of them, cut to 128 bits, in base64url. Each kind has a key of its own,
 * so that a token is valid for no other. They do not expire.
 */
export function createLinks(baseUrl: () => string, secret: Pick<Secret, "sign" | "key">): Links {
  const purposeOf = (kind: string) => `link.${kind}`
  const sign = (kind: string, ids: Buffer) => secret.sign(purposeOf(kind), ids.toString("latin1")).subarray(0, macBytes)

  function tokenOf(kind: string, ids: Buffer): string {
    return Buffer.concat([ids, sign(kind, ids)]).toString("base64url")
  }

  /** The ids of a token, or undefined unless it is of this kind, signed by us and in canonical spelling. */
  function read(kind: string, idCount: number, token: string): Buffer[] | undefined {
    const bytes = Buffer.from(token, "base64url")
    if (bytes.length !== idCount * idBytes + macBytes || bytes.toString("base64url") !== token) return undefined
    const ids = bytes.subarray(0, idCount * idBytes)
    if (!timingSafeEqual(sign(kind, ids), bytes.subarray(idCount * idBytes))) return undefined
    return Array.from({ length: idCount }, (_, at) => ids.subarray(at * idBytes, (at + 1) * idBytes))
  }

  return {
    page(kind, contactId, emailId) {
      return `${baseUrl()}/${kind}/${tokenOf(kind, Buffer.concat([bytesOf(contactId), bytesOf(emailId)]))}`
    },
    readPage(kind, token) {
      const [contact, email] = read(kind, 2, token) ?? []
      return contact && email ? { contactId: idOf(contact), emailId: idOf(email) } : undefined
    },
    isPage(url) {
      const base = `${baseUrl()}/`
      return url.startsWith(base) && pageKinds.some((kind) => url.startsWith(`${kind}/`, base.length))
    },
    open: (emailId) => `${baseUrl()}/t/o/${tokenOf("open", bytesOf(emailId))}.gif`,
    readOpen(token) {
      const [email] = read("open", 1, token) ?? []
      return email && idOf(email)
    },
    click(emailId, link) {
      return `${baseUrl()}/t/c/${tokenOf("click", Buffer.concat([bytesOf(emailId), Buffer.from(link, "hex")]))}`
    },
    readClick(token) {
      const [email, link] = read("click", 2, token) ?? []
      return email && link ? { emailId: idOf(email), link: link.toString("hex") } : undefined
    },
    keys() {
      const purposes = [...pageKinds, "open", "click"].map(purposeOf)
      const keys = purposes.map((purpose) => [purpose, secret.key(purpose).toString("base64")])
      return { baseUrl: baseUrl(), keys: Object.fromEntries(keys) }
    },
    account(kind, id) {
      return `${baseUrl()}/app/${accountPages[kind]}?token=${this.accountToken(kind, id)}`
    },
    accountToken: (kind, id) => secret.sign(`account.${kind}`, id).toString("base64url"),
  }
}

/** The links of messages, made with keys that another thread has. */
export function linksWith({ baseUrl, keys }: LinkKeys): Links {
  const known = new Map(Object.entries(keys).map(([purpose, key]) => [purpose, Buffer.from(key, "base64")]))
  function key(purpose: string): Buffer {
    const found = known.get(purpose)
    if (found === undefined) throw new Error(`There is no key for ${purpose}.`)
    return found
  }
  return createLinks(() => baseUrl, { key, sign: (purpose, text) => signWith(key(purpose), text) })
}

const bytesOf = (id: string): Buffer => Buffer.from(id.replaceAll("-", ""), "hex")

function idOf(bytes: Buffer): string {
  const hex = bytes.toString("hex")
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-")
}
