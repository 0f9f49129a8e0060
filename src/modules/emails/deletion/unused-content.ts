import { and, eq, gt, lt, notInArray, sql } from "drizzle-orm"
import type { Engine } from "../../../engine.ts"
import type { Sweep } from "../../../module.ts"
import { eachOf } from "../../../store/slices.ts"
import { usedAtLag } from "../content/content.ts"
import { contentTable, emailTable } from "../table.ts"

/** How much content one read finds, which looks through all mail: a million take some seconds. */
const atOnce = 100_000

/**
 * Deletes content whose mail was all deleted (contract B10.10). Unused content is searched for before the units that
 * delete it. Mail that is stored meanwhile with the same content protects it by a last use after `before`: the use is
 * stored in the unit of the mail, or at most an hour earlier, and the second hour is longer than any unit takes.
 */
export const createUnusedContentSweep = ({ store, clock }: Pick<Engine, "store" | "clock">): Sweep => ({
  name: "unused content",
  async run(each) {
    const { projectId, hash, usedAt } = contentTable
    const before = clock.now() - 2 * usedAtLag
    for (let found = atOnce; found === atOnce; ) {
      const unused = await store.readPool.read("instance", (db) => {
        const { contentHash } = emailTable
        const used = db
          .select({ contentHash })
          .from(emailTable)
          .where(gt(contentHash, sql.raw("''")))
        return db
          .select({ projectId, hash })
          .from(contentTable)
          .where(and(lt(usedAt, before), notInArray(hash, used)))
          .limit(atOnce)
      })
      found = await eachOf(each, unused, async (unit, part) => {
        for (const one of part)
          await unit.db
            .delete(contentTable)
            .where(and(eq(projectId, one.projectId), eq(hash, one.hash), lt(usedAt, before)))
      })
    }
  },
})
