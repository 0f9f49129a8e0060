import { useEffect, useState, useSyncExternalStore } from "react"
import { fullTime } from "./format.ts"
import { standingTime, watchStanding } from "./now.ts"

/** The present time of the server, updated twice a minute, which is enough for ages in minutes. */
export function useNow(): number {
  const standing = useSyncExternalStore(watchStanding, standingTime)
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [])
  return standing ?? now
}

interface WhenProps {
  /** ISO time. */
  at: string
  /** The format; both in ms. */
  format(at: number, now: number): string
  now: number
  className?: string | undefined
}

export function When({ at, format, now, className }: WhenProps) {
  const moment = Date.parse(at)
  return (
    <time className={className} dateTime={at} title={fullTime(moment)}>
      {format(moment, now)}
    </time>
  )
}
