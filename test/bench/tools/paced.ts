interface PacedLoad {
  /** What is asked for, each in its turn. */
  readonly urls: readonly string[]
  readonly connections: number
  /** Requests of all connections together. */
  readonly perSecond: number
  readonly seconds: number
  /** `GET` when absent. */
  readonly request?: (n: number) => RequestInit
}

/**
 * Asks at a steady rate, whether or not the answers come in time, and resolves to the 99th percentile of the time from when
 * a request was due until its answer was there. Answers must be 2xx or 3xx.
 */
export async function p99Paced({ urls, connections, perSecond, seconds, request }: PacedLoad): Promise<number> {
  const count = perSecond * seconds
  const took: number[] = []
  const startAt = performance.now()
  let next = 0

  async function connection(): Promise<void> {
    for (let n = next++; n < count; n = next++) {
      const due = startAt + (n * 1_000) / perSecond
      const early = due - performance.now()
      if (early > 0) await Bun.sleep(early)
      const answer = await fetch(urls[n % urls.length] ?? "", { redirect: "manual", ...request?.(n) })
      await answer.arrayBuffer()
      if (answer.status >= 400) throw new Error(`${urls[n % urls.length]} answered ${answer.status}`)
      took.push(performance.now() - due)
    }
  }

  await Promise.all(Array.from({ length: connections }, connection))
  took.sort((a, b) => a - b)
  return took[Math.floor(took.length * 0.99)] ?? Number.NaN
}
