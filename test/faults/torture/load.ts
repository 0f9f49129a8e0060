/** One request that a client repeats until it is acknowledged, with the same idempotency key. */
export interface Errand {
  readonly kind: "track" | "transactional" | "marketing"
  /** Unique: part of the address and of the data. */
  readonly number: number
  tries: number
  acknowledged: boolean
}

export interface Keys {
  readonly secret: string
  readonly publicKey: string
  readonly templateId: string
}

const kinds = ["track", "transactional", "marketing"] as const

export const addressOf = ({ kind, number }: Pick<Errand, "kind" | "number">): string => `${kind}-${number}@example.com`

/** A mixed load that survives restarts: unacknowledged requests are repeated at the next server. */
export function createLoad(keys: Keys, clients: number) {
  const errands: Errand[] = []
  const unfinished: Errand[] = []
  const waiting: { left: number; done: () => void }[] = []

  const next = (): Errand => {
    const again = unfinished.shift()
    if (again) return again
    const number = errands.length
    const errand: Errand = { kind: kinds[number % 3] ?? "track", number, tries: 0, acknowledged: false }
    errands.push(errand)
    return errand
  }

  /** Runs until the server is gone or `count` requests are begun; resolves when every client has noticed. */
  async function client(url: string, signal: AbortSignal, mayBegin: () => boolean): Promise<void> {
    while (!signal.aborted && mayBegin()) {
      const errand = next()
      errand.tries++
      try {
        const { path, key, body } = requestFor(errand, keys)
        const response = await fetch(`${url}${path}`, {
          method: "POST",
          headers: {
            Authorization: `Bearer ${key}`,
            "Content-Type": "application/json",
            "Idempotency-Key": `errand-${errand.number}`,
          },
          body: JSON.stringify(body),
          signal,
        })
        await response.text()
        // 409 is the response to a repetition whose first attempt took effect.
        if (response.status === 200 || (response.status === 409 && errand.tries > 1)) {
          errand.acknowledged = true
          for (const one of waiting) if (--one.left <= 0) one.done()
        } else throw new Error(`${path} answered ${response.status}`)
      } catch (cause) {
        unfinished.push(errand)
        if (cause instanceof Error && cause.message.includes("answered")) throw cause
        return
      }
    }
  }

  return {
    errands,
    unfinished,
    /** Resolves when this many more requests have been acknowledged. */
    acknowledges: (left: number): Promise<void> =>
      left <= 0 ? Promise.resolve() : new Promise((done) => void waiting.push({ left, done })),
    run: async (url: string, signal: AbortSignal, mayBegin: () => boolean = () => true): Promise<void> => {
      await Promise.all(Array.from({ length: clients }, () => client(url, signal, mayBegin)))
    },
  }
}

function requestFor({ kind, number }: Errand, { secret, publicKey, templateId }: Keys) {
  const address = addressOf({ kind, number })
  if (kind === "track")
    return {
      path: "/v1/track",
      key: publicKey,
      body: { email: address, event: "errand", data: { number, plan: "pro" } },
    }
  const content =
    kind === "marketing"
      ? { template: templateId, subscribed: true }
      : { from: "shop@acme.test", subject: "Errand {{number}}", body: "<p>Number {{number}} for {{email}}</p>" }
  return { path: "/v1/send", key: secret, body: { to: address, data: { number }, ...content } }
}
