import { createHttpServer } from "../../src/http/listen.ts"

type Answer = (request: Request, address: string | undefined) => Response | Promise<Response>

/** An address at which one app after the other is found, so that a browser keeps the scripts that all of them serve. */
export interface Address {
  readonly url: string
  /** Lets an app answer from now on; the function that it returns ends that, once every request has its answer. */
  lendTo(answer: Answer): () => Promise<void>
}

export function createAddress(): Address {
  let current: Answer | undefined
  const open = new Set<Promise<unknown>>()
  const { port } = createHttpServer({
    host: "127.0.0.1",
    port: 0,
    async fetch(request, address) {
      if (current === undefined) return new Response(null, { status: 503 })
      const answer = Promise.resolve(current(request, address))
      open.add(answer)
      return answer.finally(() => open.delete(answer))
    },
  })
  return {
    url: `http://127.0.0.1:${port}`,
    lendTo(answer) {
      current = answer
      return async () => {
        if (current === answer) current = undefined
        await Promise.allSettled(open)
      }
    },
  }
}
