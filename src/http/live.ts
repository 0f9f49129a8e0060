import type { Clock } from "../kernel/clock.ts"

export interface LiveEvent {
  readonly event: string
  readonly data: unknown
}

const pingMs = 15_000
/** What may wait for a slow reader. Beyond it the stream ends, and the browser connects anew. */
const waitingBytes = 256 * 1_024

/**
 * A stream of server-sent events (WHATWG HTML, 9.2). `open` is given `push` and returns the function that ends the subscription; comments keep
 * proxies and idle limits from closing the connection.
 */
export function liveResponse(clock: Clock, open: (push: (event: LiveEvent) => void) => () => void): Response {
  const over = new AbortController()
  const encoder = new TextEncoder()
  let close = () => {}
  const end = () => {
    over.abort()
    close()
  }
  const source: UnderlyingDefaultSource<Uint8Array> = {
    start(controller) {
      const write = (text: string) => {
        if (over.signal.aborted) return
        controller.enqueue(encoder.encode(text))
        if ((controller.desiredSize ?? 0) > 0) return
        end()
        controller.close()
      }
      close = open(({ event, data }) => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
      write(": open\n\n")
      void (async () => {
        while (!over.signal.aborted) {
          await clock.sleep(pingMs, over.signal)
          write(": ping\n\n")
        }
      })()
    },
    cancel: end,
  }
  const stream = new ReadableStream(source, new ByteLengthQueuingStrategy({ highWaterMark: waitingBytes }))
  return new Response(stream, {
    headers: { "Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no" },
  })
}
