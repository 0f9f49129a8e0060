import { Elysia } from "elysia"
import type { Engine } from "../../engine.ts"
import { liveResponse } from "../../http/live.ts"
import type { Protect } from "../../http/protect.ts"
import { second } from "../../kernel/clock.ts"
import { emailChanged } from "../emails/index.ts"
import { eventRecorded } from "../events/index.ts"
import { executionEnded, stepStarted } from "../workflows/index.ts"

/**
 * The signals that add items to the activity feed. Campaigns are left out, because their mails follow at once; the
 * start of a workflow is covered by its first step.
 */
const movesFeed = [emailChanged, eventRecorded, stepStarted, executionEnded]

/** The least time between two notices of new activity, in ms. */
const activityEveryMs = 2 * second

/** The stream of a project's changes for the dashboard: each change of a mail, and that there is new activity. */
export const liveRoutes = ({ bus, clock }: Pick<Engine, "bus" | "clock">, protect: Protect) =>
  new Elysia({ prefix: "/app", detail: { hide: true } })
    .use(protect.page())
    .get("/live/:projectId", ({ project, mayRead }) =>
      liveResponse(clock, {
        mayRead,
        open(push) {
          const closed = new AbortController()
          let isResting = false
          let isDue = false
          /** Sends a notice at once; activity within the pause causes one notice after it. */
          async function tell(): Promise<void> {
            isDue = true
            if (isResting) return
            isResting = true
            while (isDue && !closed.signal.aborted) {
              isDue = false
              push({ event: "activity", data: null })
              await clock.sleep(activityEveryMs, closed.signal)
            }
            isResting = false
          }
          const ofProject = (act: (payload: unknown) => void) => (signal: { projectId: string; payload: unknown }) => {
            if (signal.projectId === project.id) act(signal.payload)
          }
          const watched = [
            bus.watch(
              emailChanged,
              ofProject((data) => push({ event: "email", data })),
            ),
            ...movesFeed.map((kind) =>
              bus.watch<unknown>(
                kind,
                ofProject(() => void tell()),
              ),
            ),
          ]
          return () => {
            closed.abort()
            for (const end of watched) end()
          }
        },
      }),
    )
