import { createHash, generateKeyPairSync, sign as signWith } from "node:crypto"
import { compose, type Draft } from "../../src/mail/compose.ts"
import { dkimSigner, type Signer } from "../../src/mail/dkim.ts"
import { draftOf } from "../contracts/messages.ts"
import { type Figure, ratioOf } from "./tools/table.ts"

const { privateKey: rsa } = generateKeyPairSync("rsa", { modulusLength: 2_048 })
const { privateKey: ed25519 } = generateKeyPairSync("ed25519")
const keys = {
  rsa: { selector: "ms1", algorithm: "rsa", privateKey: rsa },
  ed25519: { selector: "ms2", algorithm: "ed25519", privateKey: ed25519 },
} as const

const paragraph = "<p style='margin:0 0 16px'>Thank you for your order. We will write again when it leaves.</p>\n"
/** Drafts of 10 KB; each round composes them again, because a message keeps its bytes. */
const drafts: Draft[] = Array.from({ length: 20 }, () => draftOf({ html: paragraph.repeat(105) }))

const roundMs = 200
const rounds = 7

/**
 * Mails of 10 KB that one thread composes: without a signature, with RSA (2,048 bits), and with RSA and Ed25519. The limit
 * is what the bare signatures leave: their time and that of an unsigned mail, and nothing else.
 */
export async function signing(): Promise<Figure[]> {
  const signer = (...used: (keyof typeof keys)[]): Signer =>
    dkimSigner({ domain: "shop.test", keys: used.map((one) => keys[one]), at: Date.UTC(2026, 0, 31) })
  const composing = (signer?: Signer) => () => {
    for (const draft of drafts) compose(draft, signer).mime()
  }
  const data = Buffer.alloc(800, "a")
  const digest = createHash("sha256").update(data).digest()
  const bareRsa = () => {
    for (const _ of drafts) signWith("sha256", data, rsa)
  }
  const bareEd25519 = () => {
    for (const _ of drafts) signWith(null, digest, ed25519)
  }
  const works = {
    unsigned: composing(),
    rsa: composing(signer("rsa")),
    both: composing(signer("rsa", "ed25519")),
    bareRsa,
    bareEd25519,
  }
  // Alternating, so that a busy machine slows all.
  const measured = Array.from({ length: rounds }, () => speedsOf(works))
  const speed = (name: keyof typeof works) => median(measured.map((round) => round[name]))
  const [unsigned, bare1, bare2] = [speed("unsigned"), speed("bareRsa"), speed("bareEd25519")]
  const together = (...speeds: number[]) => 1 / speeds.reduce((sum, one) => sum + 1 / one, 0)
  const perMail = (what: string, value: number, limit: number) => ratioOf(what, value, limit, 0.7, "in process")
  return [
    {
      what: "mails of 10 KB composed, unsigned",
      value: `${Math.round(unsigned).toLocaleString("en")}/s`,
      target: ">= 3,000/s",
      met: unsigned >= 3_000,
      by: "in process",
    },
    perMail("the same, signed with RSA", speed("rsa"), together(unsigned, bare1)),
    perMail("the same, signed with RSA and Ed25519", speed("both"), together(unsigned, bare1, bare2)),
  ]
}

function speedsOf<Name extends string>(works: Record<Name, () => void>): Record<Name, number> {
  const speeds = Object.entries<() => void>(works).map(([name, work]) => [name, perSecond(work)])
  return Object.fromEntries(speeds) as Record<Name, number>
}

function perSecond(work: () => void): number {
  const started = performance.now()
  let count = 0
  while (performance.now() - started < roundMs) {
    work()
    count += drafts.length
  }
  return count / ((performance.now() - started) / 1_000)
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN
