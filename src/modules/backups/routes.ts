import { Elysia } from "elysia"
import type { Engine } from "../../engine.ts"
import { answersWith, bySession, bytes, refuses } from "../../http/openapi/describe.ts"
import { pathId } from "../../http/path-id.ts"
import type { Protect } from "../../http/protect.ts"
import { nextRun } from "../../jobs/recurring.ts"
import { iso, isoOrNull } from "../../kernel/clock.ts"
import type { Backups } from "./actions.ts"
import { backupsAnswer, requestedAnswer, resumedAnswer } from "./document.ts"
import type { Backup } from "./table.ts"

/** Backups, for the owner of the instance (contract B8.3.25). */
export function backupRoutes(backups: Backups, { config, clock }: Pick<Engine, "config" | "clock">, protect: Protect) {
  const { schedule, keep, passphrase } = config.backup
  async function show() {
    const pause = backups.sendingPause()
    const data = {
      schedule,
      nextAt: schedule === null ? null : iso(nextRun(schedule, clock.now())),
      folder: backups.folder,
      keep,
      encrypted: passphrase !== null,
      sendingPaused:
        pause === undefined ? null : { since: iso(pause.since), takenAt: isoOrNull(pause.takenAt ?? null) },
      backups: (await backups.list()).map(presentBackup),
    }
    return { success: true, data }
  }
  const detail = { tags: ["Instance"], security: bySession }
  const download = new Elysia({ detail }).use(protect.user({ owner: true, password: true })).get(
    "/backups/:id/file",
    async ({ params, user, peer }) => {
      const { name, bytes } = await backups.download(pathId("Backup", params.id), { ...user, ...peer })
      return new Response(bytes, {
        headers: {
          "Content-Type": "application/octet-stream",
          "Content-Disposition": `attachment; filename="${name}"`,
          "Cache-Control": "no-store",
          "X-Content-Type-Options": "nosniff",
        },
      })
    },
    {
      detail: {
        operationId: "downloadInstanceBackup",
        summary: "The file of a backup",
        responses: {
          ...answersWith(["application/octet-stream"], "The file, as `mailstead restore` takes it.", bytes()),
          ...refuses(403, 404),
        },
      },
    },
  )
  const others = new Elysia({ detail })
    .use(protect.user({ owner: true }))
    .get("/backups", show, {
      detail: { operationId: "listInstanceBackups", summary: "The backups of this server", responses: backupsAnswer },
    })
    .post(
      "/backups",
      async ({ user, peer, set }) => {
        await backups.request({ ...user, ...peer })
        set.status = 202
        return { success: true }
      },
      {
        detail: { operationId: "takeInstanceBackup", summary: "Take a backup now", responses: requestedAnswer },
      },
    )
    .post(
      "/resume-sending",
      async ({ user, peer }) => ({
        success: true,
        data: { resumed: await backups.resumeSending({ ...user, ...peer }) },
      }),
      {
        detail: {
          operationId: "resumeSending",
          summary: "Send again, on a server whose data was restored",
          responses: resumedAnswer,
        },
      },
    )
  return new Elysia({ prefix: "/instance" }).use(download).use(others)
}

const presentBackup = ({ startedAt, endedAt, ...row }: Backup & { available: boolean }) => ({
  ...row,
  startedAt: iso(startedAt),
  endedAt: isoOrNull(endedAt),
})
