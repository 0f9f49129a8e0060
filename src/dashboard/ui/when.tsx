import { useEffect, useState } from "react"
import { fullTime } from "./format.ts"

/** The present, renewed twice a minute: enough for ages in minutes. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

interface WhenProps {
  /** ISO time. */
  at: string
  /** How to say it, given both in ms. */
  say(at: number, now: number): string
  now: number
  className?: string | undefined
}

export function When({ at, say, now, className }: WhenProps) {
  const moment = Date.parse(at)
  return (
    <time className={className} dateTime={at} title={fullTime(moment)}>
      {say(moment, now)}
    </time>
  )
}
