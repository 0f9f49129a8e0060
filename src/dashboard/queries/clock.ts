import { useQuery } from "@tanstack/react-query"
import { useEffect } from "react"
import { getClock, turnClock } from "../api/clock.ts"
import { useSession } from "../context/session.ts"
import { standAt } from "../ui/now.ts"
import { type Change, useChange } from "./use-change.ts"

const clockKey = ["clock"]

/** How often a clock that stands still is read again, in ms: programs turn it too. */
const rereadMs = 5_000

/** Where the clock of the sandbox stands, in ms; undefined where it does not stand still. */
export function useStandingClock(): number | undefined {
  const { config, project } = useSession()
  const { data } = useQuery({
    queryKey: clockKey,
    queryFn: () => getClock(project.id),
    enabled: config.sandbox,
    refetchInterval: ({ state }) => (state.data?.manual ? rereadMs : false),
  })
  const at = data?.manual ? Date.parse(data.now) : undefined
  useEffect(() => {
    if (at !== undefined) standAt(at)
  }, [at])
  return at
}

/** What a turn of the clock has led to. */
interface Turned {
  readonly now: string
  readonly emails: number
}

/** Turns the clock to a time, in ms; then everything in view is read again. */
export const useTurnClock = (): Change<Turned, number> =>
  useChange<Turned, number>({
    title: "The clock was not turned",
    async send(projectId, at) {
      const to = new Date(at).toISOString()
      let emails = 0
      for (;;) {
        const turn = await turnClock(projectId, to)
        emails += turn.emails
        if (turn.complete) return { now: turn.now, emails }
      }
    },
    done: (client) => client.invalidateQueries(),
  })
