import { createHttpServer } from "../../src/http/listen.ts"

type Answer = (request: Request, address: string | undefined) => Response | Promise<Response>

/** An address that serves one app after the other, so that a browser caches the scripts they share. */
export interface Address {
  readonly url: string
  /** A page with nothing on it, also while no app is connected. */
  readonly emptyPage: string
  /** Connects an app; the returned function disconnects it, once every request is answered. */
  lendTo(answer: Answer): () => Promise<void>
  /** Stops listening. */
  close(): Promise<void>
}

const emptyPath = "/empty-page-of-tests"
/** It is isolated as the dashboard is, so that a browser keeps its frame from the one to the other. */
const emptyHeaders = { "Content-Type": "text/html; charset=utf-8", "Cross-Origin-Opener-Policy": "same-origin" }

export function createAddress(): Address {
  let current: Answer | undefined
  const open = new Set<Promise<unknown>>()
  const server = createHttpServer({
    host: "127.0.0.1",
    port: 0,
    settings: { host: "", port: "" },
    async fetch(request, address) {
      if (new URL(request.url).pathname === emptyPath) return new Response("", { headers: emptyHeaders })
      if (current === undefined) return new Response(null, { status: 503 })
      const answer = Promise.resolve(current(request, address))
      open.add(answer)
      return answer.finally(() => open.delete(answer))
    },
  })
  const url = `http://127.0.0.1:${server.port}`
  return {
    url,
    emptyPage: url + emptyPath,
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
