import { Type } from "@sinclair/typebox"
import type { Engine } from "../../../engine.ts"
import { defineJob, done, handles, type JobHandler, type Recurring } from "../../../jobs/define.ts"
import { day } from "../../../kernel/clock.ts"
import { forgetMoves } from "./moves.ts"

const sweep = defineJob("contacts.sweep-moves", Type.Object({}))
/** How long a walk by address may take and still show everybody once. */
const longestWalk = day

/** Throws away the addresses given up so long ago that no walk needs them. */
export function moveSweeping({ store }: Pick<Engine, "store">) {
  const handlers: JobHandler[] = [
    handles(sweep, async () => {
      while ((await store.write("instance", (unit) => forgetMoves(unit, unit.now - longestWalk))) > 0);
      return done
    }),
  ]
  const recurring: Recurring[] = [{ name: sweep.name, every: "25 * * * *", kind: sweep, payload: {} }]
  return { handlers, recurring }
}
