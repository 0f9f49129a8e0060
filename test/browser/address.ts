import { createHttpServer } from "../../src/http/listen.ts"

type Answer = (request: Request, address: string | undefined) => Response | Promise<Response>

/** An address that serves one app after the other, so that a browser caches the scripts they share. */
export interface Address {
  readonly url: string
  /** Connects an app; the returned function disconnects it, once every request is answered. */
  lendTo(answer: Answer): () => Promise<void>
  /** Stops listening. */
  close(): Promise<void>
}

export function createAddress(): Address {
  let current: Answer | undefined
  const open = new Set<Promise<unknown>>()
  const server = createHttpServer({
    host: "127.0.0.1",
    port: 0,
    settings: { host: "", port: "" },
    async fetch(request, address) {
      if (current === undefined) return new Response(null, { status: 503 })
      const answer = Promise.resolve(current(request, address))
      open.add(answer)
      return answer.finally(() => open.delete(answer))
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    lendTo(answer) {
      current = answer
      return async () => {
        if (current === answer) current = undefined
        await Promise.allSettled(open)
      }
    },
    close: () => server.stop(0),
  }
}
