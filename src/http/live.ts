import type { Clock } from "../kernel/clock.ts"

export interface LiveEvent {
  readonly event: string
  readonly data: unknown
}

/** The most that is buffered for a slow reader. Beyond it the stream ends, and the browser reconnects. */
const waitingBytes = 256 * 1_024
const checkMs = 1_000
/** The number of checks between two pings. */
const pingEvery = 15

interface LiveSource {
  /** Subscribes `push`; returns the function that unsubscribes it. */
  readonly open: (push: (event: LiveEvent) => void) => () => void
  /** Whether the reader still has access: checked every second; the stream ends when not. */
  readonly mayRead: () => Promise<boolean>
}

/**
 * A stream of server-sent events (WHATWG HTML, 9.2). Comments keep proxies and idle limits from closing the connection.
 */
export function liveResponse(clock: Clock, { open, mayRead }: LiveSource): Response {
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
        for (let round = 1; !over.signal.aborted; round++) {
          await clock.sleep(checkMs, over.signal)
          if (over.signal.aborted) return
          // If the check fails, for instance because the store is closing, access is denied too.
          const isAllowed = await mayRead().catch(() => false)
          // Meanwhile the reader may have left, which has closed the stream.
          if (over.signal.aborted) return
          if (!isAllowed) {
            end()
            controller.close()
          } else if (round % pingEvery === 0) write(": ping\n\n")
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
