import { randomBytes } from "node:crypto"

/** The place of a span in a trace of several systems (W3C Trace Context). Ids are hexadecimal. */
interface TraceParent {
  readonly traceId: string
  readonly spanId: string
  /** Whether the caller records the trace; one that it does not is not recorded here either. */
  readonly isSampled: boolean
}

export type Attributes = Readonly<Record<string, string | number>>

/** Work that has ended. Attributes hold no body, key or address. */
interface Span {
  readonly name: string
  readonly kind: "server" | "client"
  /** In ms since the epoch; the fraction counts. */
  readonly start: number
  readonly end: number
  readonly parent?: TraceParent | undefined
  readonly failed: boolean
  readonly attributes: Attributes
}

export interface RecordedSpan extends Span {
  readonly traceId: string
  readonly spanId: string
}

/** Collects spans until somebody takes them; exists only when there is somebody. */
export interface Tracer {
  record(span: Span): void
  /** The spans so far, which are forgotten. */
  take(): readonly RecordedSpan[]
  /** How many were dropped since it was asked last, because too many waited. */
  takeDropped(): number
}

/** About five seconds of a busy server; further spans are dropped. */
const mostSpans = 20_000

export function createTracer(most = mostSpans): Tracer {
  let spans: RecordedSpan[] = []
  let dropped = 0
  return {
    record(span) {
      if (span.parent?.isSampled === false) return
      if (spans.length >= most) return void dropped++
      const traceId = span.parent?.traceId ?? randomBytes(16).toString("hex")
      spans.push({ ...span, traceId, spanId: randomBytes(8).toString("hex") })
    },
    take() {
      const taken = spans
      spans = []
      return taken
    },
    takeDropped() {
      const count = dropped
      dropped = 0
      return count
    },
  }
}

const parentForm = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/

/** Reads a `traceparent` header; undefined for none, or one that is not valid and so is ignored. */
export function parentIn(header: string | null): TraceParent | undefined {
  const [, traceId = "", spanId = "", flags = ""] = parentForm.exec(header ?? "") ?? []
  const isValid = traceId !== "" && !/^0+$/.test(traceId) && !/^0+$/.test(spanId) && !header?.startsWith("ff")
  return isValid ? { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 } : undefined
}
