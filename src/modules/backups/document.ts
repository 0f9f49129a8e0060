import { Type as t } from "@sinclair/typebox"
import { about, answers, id, named, oneOf, orNull, refuses, time, wrapped } from "../../http/openapi/describe.ts"

const backup = named(
  "Backup",
  t.Object({
    id: id(),
    name: about("The name of its file.", t.String()),
    state: about("`DONE`: it was read back and is whole.", oneOf(["RUNNING", "DONE", "FAILED"])),
    encrypted: t.Boolean(),
    hasSecret: about("Whether the secret of the data folder is in it.", t.Boolean()),
    bytes: about("Null until it is done.", orNull(t.Integer())),
    reason: about("Why it failed or, when it is done, why the bucket has no copy.", orNull(t.String())),
    startedAt: time(),
    endedAt: orNull(time()),
    available: about("Whether its file is there.", t.Boolean()),
  }),
)

export const backupsSchema = named(
  "Backups",
  t.Object({
    schedule: about("A cron line in UTC; null: none is taken by itself.", orNull(t.String())),
    nextAt: orNull(time()),
    folder: t.String(),
    keep: t.Integer(),
    encrypted: about("Whether the next one will be.", t.Boolean()),
    sendingPaused: about(
      "Since when nothing is sent, because this data was restored, and when its backup was taken.",
      orNull(t.Object({ since: time(), takenAt: orNull(time()) })),
    ),
    backups: about("The newest 100, the newest first.", t.Array(backup)),
  }),
)

const example = {
  schedule: "30 3 * * *",
  nextAt: "2026-02-01T03:30:00.000Z",
  folder: "/var/backups/mailstead",
  keep: 7,
  encrypted: true,
  sendingPaused: null,
  backups: [
    {
      id: "0199c0de-0000-7000-8000-000000000001",
      name: "mailstead-20260131T033000Z-000001.tar.zst.sealed",
      state: "DONE" as const,
      encrypted: true,
      hasSecret: true,
      bytes: 52_428_800,
      reason: null,
      startedAt: "2026-01-31T03:30:00.000Z",
      endedAt: "2026-01-31T03:30:21.000Z",
      available: true,
    },
  ],
}

export const backupsAnswer = {
  ...answers(200, wrapped(backupsSchema), { success: true, data: example }),
  ...refuses(403),
}

export const requestedAnswer = {
  ...answers(202, t.Object({ success: t.Literal(true) }), { success: true }),
  ...refuses(403, 409),
}

export const resumedAnswer = {
  ...answers(200, wrapped(t.Object({ resumed: t.Boolean() })), { success: true, data: { resumed: true } }),
  ...refuses(403),
}
