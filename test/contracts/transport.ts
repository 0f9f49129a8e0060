import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import libmime from "libmime"
import { simpleParser } from "mailparser"
import { compose } from "../../src/mail/compose.ts"
import type { Outgoing, Receipt, Transport } from "../../src/mail/transport.ts"
import { messageTo, richDraft } from "./messages.ts"

/**
 * How the test server handles a message, selected by the local part of the recipient. `lose` accepts it and disconnects
 * without a reply, `ignore` stops responding before it accepts.
 */
export type Handling = "accept" | "defer" | "reject" | "lose" | "ignore"

export interface Arrived {
  readonly from: string
  readonly to: string
  readonly raw: Uint8Array
}

/** A transport with an inspectable test server. */
interface TransportBench {
  readonly transport: Transport
  /** The messages that the test server accepted, in order. */
  arrived(): Promise<readonly Arrived[]>
  /** Texts of the configuration that must never be shown. */
  readonly secrets: readonly string[]
  /** Everything the transport logged. */
  logged(): string
  /** Resolves when the test server ignores the next message with that handling; absent where it does so at once. */
  silence?(): Promise<void>
  /** Makes the test server unreachable, and reachable again; optional. */
  cut?(): Promise<void>
  mend?(): Promise<void>
  stop(): Promise<void>
}

/**
 * What a transport and its server support. `cut`: the server can be made unreachable. `mime`: the server receives the
 * composed message, with our date; without it the provider composes the message from fields. `envelope`: it uses our
 * envelope sender.
 */
type Ability = Handling | "cut" | "mime" | "envelope"

/** The requirements of the ledger for every transport. `abilities` are what the transport and its test server support. */
export function transportContract(
  name: string,
  abilities: readonly Ability[],
  make: () => Promise<TransportBench>,
): void {
  const can = (ability: Ability): boolean => abilities.includes(ability)
  const never = new AbortController().signal

  describe(`transport contract: ${name}`, () => {
    let bench: TransportBench
    beforeAll(async () => {
      bench = await make()
    })
    afterAll(async () => {
      await bench.transport.close()
      await bench.stop()
    })

    /** As many calls as the limits of the transport ask for, one after another. */
    async function sendAll(messages: readonly Outgoing[], signal: AbortSignal = never): Promise<Receipt[]> {
      const { batch } = bench.transport.limits
      const receipts: Receipt[] = []
      for (let at = 0; at < messages.length; at += batch) {
        receipts.push(...(await bench.transport.send(messages.slice(at, at + batch), signal)))
      }
      return receipts
    }

    const outcomes = (receipts: readonly Receipt[]) => receipts.map(({ outcome }) => outcome)
    const arrivedFor = async (to: string) => (await bench.arrived()).filter((one) => one.to === to)

    function expectShowable(receipt: Receipt): void {
      const text = JSON.stringify(receipt)
      for (const secret of bench.secrets) expect(text).not.toContain(secret)
      if (receipt.outcome === "sent") return
      expect(receipt.reason).toMatch(/^[^\r\n]{3,1000}$/)
    }

    test("has a name without secrets and sensible limits", () => {
      const { name: shown, limits } = bench.transport
      expect(shown.length).toBeGreaterThan(0)
      for (const secret of bench.secrets) expect(shown).not.toContain(secret)
      expect(limits.concurrency).toBeGreaterThanOrEqual(1)
      expect(limits.batch).toBeGreaterThanOrEqual(1)
    })

    test("sends a message once, to its recipient, from its envelope sender", async () => {
      const message = compose({ ...richDraft("accept+one@example.com"), envelopeFrom: "bounce@shop.test" })
      const [receipt] = await sendAll([message])
      expect(receipt?.outcome).toBe("sent")
      const found = await arrivedFor("accept+one@example.com")
      expect(found.length).toBe(1)
      if (can("envelope")) expect(found.map(({ from }) => from)).toEqual(["bounce@shop.test"])
    })

    test("gives a provider id that is null or a text without angle brackets", async () => {
      const [receipt] = await sendAll([messageTo("accept+id@example.com")])
      if (receipt?.outcome !== "sent") throw new Error("it was not sent")
      if (receipt.providerId !== null) expect(receipt.providerId).toMatch(/^[^<>\s]+$/)
    })

    test("transmits every part of a message unchanged", async () => {
      const draft = richDraft("accept+rich@example.com")
      await sendAll([compose(draft)])
      const [found] = await arrivedFor("accept+rich@example.com")
      const mail = await simpleParser(Buffer.from(found?.raw ?? []), { keepCidLinks: true })
      expect(mail.subject).toBe(draft.subject)
      expect(mail.from?.value).toEqual([{ name: draft.from.name, address: draft.from.address }])
      expect(mail.to).toMatchObject({ value: [{ name: draft.to.name, address: draft.to.address }] })
      expect(mail.replyTo?.text).toBe("help@shop.test")
      expect(mail.messageId).toBe(`<${draft.messageId}>`)
      if (can("mime")) expect(mail.date?.getTime()).toBe(draft.date)
      expect(mail.headers.get("x-tag")).toBe("a; b=c")
      expect(libmime.decodeWords(String(mail.headers.get("x-note")))).toBe("schöne Grüße")
      expect(mail.headers.get("precedence")).toBe("bulk")
      expect(mail.headerLines.find(({ key }) => key === "list-unsubscribe")?.line).toContain(
        "/unsubscribe/abc_DEF-123>",
      )
      expect(mail.text?.trimEnd()).toBe(draft.text?.trimEnd())
      expect(String(mail.html).trimEnd()).toBe(draft.html.trimEnd())
      expect(mail.attachments.map((one) => [one.filename, one.contentType, one.contentDisposition, one.cid])).toEqual([
        ["logo.png", "image/png", "inline", "logo"],
        ["Übersicht 1.pdf", "application/pdf", "attachment", undefined],
        ["dots.txt", "text/plain", "attachment", undefined],
      ])
      const sent = draft.attachments.map(({ content }) => Buffer.from(content).toString("hex"))
      expect(mail.attachments.map(({ content }) => content.toString("hex"))).toEqual(sent)
    })

    test("gives one receipt per message, in order, for any outcome", async () => {
      const played = (["accept", "defer", "reject", "accept"] as const).filter(can)
      const messages = played.map((handling, index) => messageTo(`${handling}+${index}order@example.com`))
      const receipts = await sendAll(messages)
      const want = { accept: "sent", defer: "deferred", reject: "rejected" } as const
      expect(outcomes(receipts)).toEqual(played.map((handling) => want[handling]))
      for (const receipt of receipts) expectShowable(receipt)
      const arrived = (await bench.arrived()).map(({ to }) => to).filter((to) => to.includes("order@"))
      expect(arrived).toEqual(messages.map(({ to }) => to.address).filter((to) => to.startsWith("accept")))
    })

    test("delivers each of many concurrent messages exactly once", async () => {
      const { concurrency, batch } = bench.transport.limits
      const calls = Array.from({ length: Math.min(concurrency, 20) }, (_, call) =>
        Array.from({ length: Math.min(batch, 5) }, (_, at) => messageTo(`accept+${call}.${at}many@example.com`)),
      )
      const receipts = await Promise.all(calls.map((messages) => bench.transport.send(messages, never)))
      expect(outcomes(receipts.flat()).every((outcome) => outcome === "sent")).toBe(true)
      const arrived = (await bench.arrived()).map(({ to }) => to).filter((to) => to.includes("many@"))
      expect(arrived.toSorted()).toEqual(
        calls
          .flat()
          .map(({ to }) => to.address)
          .toSorted(),
      )
    })

    test("answers a call without messages with no receipts", async () => {
      expect(await bench.transport.send([], never)).toEqual([])
    })

    test("defers what it is given after the signal has aborted, and sends nothing", async () => {
      const [receipt] = await sendAll([messageTo("accept+late@example.com")], AbortSignal.abort())
      expect(receipt?.outcome).toBe("deferred")
      if (receipt) expectShowable(receipt)
      expect(await arrivedFor("accept+late@example.com")).toEqual([])
    })

    if (can("lose"))
      test("reports an unknown outcome when the reply to a message never arrives", async () => {
        const [receipt] = await sendAll([messageTo("lose@example.com")])
        expect(receipt?.outcome).toBe("unknown")
        if (receipt) expectShowable(receipt)
        expect(outcomes(await sendAll([messageTo("accept+after@example.com")]))).toEqual(["sent"])
      })

    if (can("ignore"))
      test("settles promptly when the signal aborts while the server is silent", async () => {
        const stop = new AbortController()
        const silent = bench.silence?.()
        const sending = sendAll([messageTo("ignore@example.com")], stop.signal)
        await silent
        const at = performance.now()
        stop.abort()
        const [receipt] = await sending
        expect(performance.now() - at).toBeLessThan(30_000)
        expect(["deferred", "unknown"]).toContain(receipt?.outcome ?? "nothing")
        expect(outcomes(await sendAll([messageTo("accept+afterwards@example.com")]))).toEqual(["sent"])
      })

    if (can("cut"))
      test("defers while the server cannot be reached, marks that, and sends again when it is back", async () => {
        await bench.cut?.()
        const [receipt] = await sendAll([messageTo("accept+cut@example.com")])
        expect(receipt).toMatchObject({ outcome: "deferred", unreachable: true })
        if (receipt) expectShowable(receipt)
        await bench.mend?.()
        expect(outcomes(await sendAll([messageTo("accept+mended@example.com")]))).toEqual(["sent"])
        expect(await arrivedFor("accept+cut@example.com")).toEqual([])
      })

    test("logs no secrets", () => {
      for (const secret of bench.secrets) expect(bench.logged()).not.toContain(secret)
    })

    test("closes, also twice, also during a hand-over", async () => {
      const own = await make()
      const sending = own.transport.send(
        [messageTo(can("ignore") ? "ignore@example.com" : "accept@example.com")],
        never,
      )
      await Promise.resolve()
      await Promise.all([own.transport.close(), own.transport.close()])
      expect(["sent", "deferred", "unknown"]).toContain((await sending)[0]?.outcome ?? "nothing")
      await own.transport.close()
      await own.stop()
    })
  })
}
