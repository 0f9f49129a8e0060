import { unlessAborted } from "../../kernel/abort.ts"
import type { Clock } from "../../kernel/clock.ts"
import { createSemaphore } from "../../kernel/semaphore.ts"
import { askByConnection, askByDatagram, type Outcome } from "./exchange.ts"
import { createQuery, type Question, type RecordType, type Reply } from "./message.ts"
import type { Server } from "./servers.ts"

/** The result of a lookup. `no_answer`: no server answered in time, so nothing is known. */
export type Resolved<T extends RecordType> =
  | Extract<Reply<T>, { kind: "found" | "none" | "no_domain" }>
  | { readonly kind: "no_answer" }

interface ResolveOptions {
  readonly servers: () => readonly Server[]
  readonly clock: Clock
  /** For a whole lookup: every server, every repetition, every alias. */
  readonly timeoutMs: number
}

/** Concurrent lookups, each with one or two sockets; the others wait. */
const maxLookups = 128

/** The length of a chain of aliases that a lookup follows. */
const longestChain = 8

/**
 * Asks the servers in order until one of them answers. One that refuses or cannot be reached is not asked again; one
 * that is silent is asked again, with a longer timeout, when all others have failed, and its answer to an earlier query
 * still counts.
 */
export function createResolve({ servers, clock, timeoutMs }: ResolveOptions) {
  const semaphore = createSemaphore(maxLookups)
  const roundMs = (round: number): number => (timeoutMs / 5) * 2 ** round

  return async <T extends RecordType>(question: Question<T>): Promise<Resolved<T>> => {
    const outcome = await within(timeoutMs, undefined, async (deadline) => {
      if (!(await semaphore.acquire(deadline))) return undefined
      try {
        return await follow(question, deadline)
      } finally {
        semaphore.release()
      }
    })
    return outcome ?? { kind: "no_answer" }
  }

  async function follow<T extends RecordType>(
    question: Question<T>,
    deadline: AbortSignal,
  ): Promise<Resolved<T> | undefined> {
    let asked = question
    for (let hops = 0; hops < longestChain; hops++) {
      const reply = await askAll(asked, deadline)
      if (reply?.kind !== "alias") return reply
      asked = { ...question, name: reply.name }
    }
    return { kind: "none" }
  }

  /** A silent server is asked again; a late answer to the first query still counts. */
  async function askAll<T extends RecordType>(question: Question<T>, deadline: AbortSignal) {
    const { promise: known, resolve: learn } = Promise.withResolvers<Knowledge<T>>()

    async function go(signal: AbortSignal): Promise<Knowledge<T> | undefined> {
      const late: Promise<void>[] = []
      let left = servers()
      for (let round = 0; left.length > 0; round++) {
        const silent: Server[] = []
        for (const server of left) {
          const asked = ask(server, question, signal)
          const outcome = await within(roundMs(round), signal, (ended) => unlessAborted(asked, ended))
          if (signal.aborted) return undefined
          if (outcome && isKnowledge(outcome)) return outcome
          if (outcome && outcome.kind !== "silent") continue
          silent.push(server)
          late.push(asked.then((answer) => (isKnowledge(answer) ? learn(answer) : undefined)))
        }
        left = silent
      }
      await Promise.all(late)
      return undefined
    }
    return within(timeoutMs, deadline, (signal) => Promise.race([known, go(signal)]))
  }

  /** Runs the work with a signal that aborts when the time is up or `around` aborts. */
  async function within<R>(ms: number, around: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<R>) {
    const limit = new AbortController()
    const giveUp = () => limit.abort()
    around?.addEventListener("abort", giveUp, { once: true })
    void clock.sleep(ms, limit.signal).then(giveUp)
    try {
      return await work(limit.signal)
    } finally {
      around?.removeEventListener("abort", giveUp)
      giveUp()
    }
  }
}

/** Asks one server, without EDNS if it does not support it, over TCP if the answer is too large. */
async function ask<T extends RecordType>(
  server: Server,
  question: Question<T>,
  signal: AbortSignal,
): Promise<Outcome<T>> {
  const extended = createQuery(question, true)
  const first = await askByDatagram(server, extended, signal)
  if (first.kind === "truncated") return askByConnection(server, extended, signal)
  if (first.kind !== "not_understood") return first
  const plain = createQuery(question, false)
  const second = await askByDatagram(server, plain, signal)
  return second.kind === "truncated" ? askByConnection(server, plain, signal) : second
}

type Knowledge<T extends RecordType> = Extract<Reply<T>, { kind: "found" | "none" | "no_domain" | "alias" }>

const isKnowledge = <T extends RecordType>(outcome: Outcome<T>): outcome is Knowledge<T> =>
  ["found", "none", "no_domain", "alias"].includes(outcome.kind)
