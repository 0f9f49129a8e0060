import { Elysia } from "elysia"
import { answers, refuses } from "../../../http/openapi/describe.ts"
import type { Protect } from "../../../http/protect.ts"
import type { ClockActions } from "./actions.ts"
import {
  clockBody,
  clockExample,
  clockSchema,
  clockTurnExample,
  clockTurnSchema,
  presentClock,
  presentTurn,
  timeWanted,
} from "./wire.ts"

/** The clock of the sandbox (contract A8.3.8): any project may turn it, and learns what happened in itself. */
export const clockRoutes = (clock: ClockActions, protect: Protect) =>
  new Elysia({ prefix: "/sandbox/clock", detail: { tags: ["Sandbox"] } })
    .use(protect({ accept: "member" }))
    .get("/", () => presentClock(clock.state()), {
      detail: {
        operationId: "getClock",
        summary: "Get the time of the sandbox",
        responses: answers(200, clockSchema, clockExample),
      },
    })
    .post("/", async ({ project, body }) => presentTurn(await clock.turn(project.id, (now) => timeWanted(body, now))), {
      body: clockBody,
      detail: {
        operationId: "turnClock",
        summary: "Turn the clock of the sandbox",
        description:
          "Only with `sandbox --clock manual`, otherwise 409. What becomes due on the way is done in the order of its time, and has been done when the response comes.",
        responses: { ...answers(200, clockTurnSchema, clockTurnExample), ...refuses(409) },
      },
    })
