import { useEffect, useState } from "react"
import { ApiError } from "../../api/http.ts"
import { reasonOf } from "../../api/refusal.ts"

interface Refused {
  readonly text: string
  /** When the next attempt is accepted, in ms; null if at once. */
  readonly until: number | null
}

/**
 * Why an attempt was refused and, after too many attempts, a countdown of the time to wait. `wrong` replaces the
 * server's message for a wrong password.
 */
export function useRefusedAttempt(wrong?: string) {
  const [refused, setRefused] = useState<Refused | null>(null)
  const [now, setNow] = useState(() => Date.now())
  const until = refused?.until ?? null
  const isLocked = until !== null && now < until
  useEffect(() => {
    if (!isLocked) return
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [isLocked])
  return {
    isLocked,
    text:
      until === null
        ? (refused?.text ?? null)
        : isLocked
          ? `Too many attempts. Try again in ${timeLeft(until - now)}.`
          : null,
    refuse(cause: unknown) {
      const retryAfter = cause instanceof ApiError && cause.status === 429 ? cause.details.retryAfter : undefined
      const at = Date.now()
      setNow(at)
      const text = wrong !== undefined && isWrongPassword(cause) ? wrong : reasonOf(cause)
      setRefused({ text, until: typeof retryAfter === "number" ? at + retryAfter * 1_000 : null })
    },
    /** Forgets the refusal, with the time to wait: that of another account may be over. */
    forget: () => setRefused(null),
    /** Clears the refusal after an edit; the time to wait stays. */
    clear: () => setRefused((before) => (before?.until ? before : null)),
  }
}

const isWrongPassword = (cause: unknown): boolean => cause instanceof ApiError && cause.code === "INVALID_CREDENTIALS"

/** `14 min 5 s`, to the second. */
function timeLeft(ms: number): string {
  const seconds = Math.ceil(ms / 1_000)
  const minutes = Math.floor(seconds / 60)
  return minutes === 0 ? `${seconds} s` : `${minutes} min ${seconds % 60} s`
}
