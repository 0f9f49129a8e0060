import { bucketPlaceOf } from "./bucket-url.ts"
import { cronLine } from "./cron-line.ts"
import { boolean, folder, integer, secret, shownAddress, textKind } from "./kinds.ts"
import { optional, type Setting, setting } from "./setting.ts"

const bucketUrl = textKind(
  "s3://BUCKET, with an optional folder, ?endpoint=URL and &region=NAME",
  bucketPlaceOf,
  shownAddress,
)

export const backupSettings = {
  "backup.schedule": optional(cronLine, "30 3 * * *", "When a backup is taken, as a cron line in UTC. Default: never"),
  "backup.folder": optional(
    folder,
    "/var/backups/mailstead",
    "Where backups are kept, preferably on another disk; add it to ReadWritePaths of the service, too. Default: backups in the data folder",
  ),
  "backup.url": optional(
    bucketUrl,
    "s3://my-bucket/mailstead?region=eu-west-1",
    `An S3-compatible bucket that each backup is copied to, and deleted from with its original. The endpoint is that of
Amazon unless ?endpoint=https://s3.example.com names one. Credentials: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN`,
  ),
  "backup.keep": setting(
    integer({ least: 1 }),
    7,
    "How many backups are kept; older ones of the schedule are deleted.",
  ),
  "backup.passphrase": optional(
    secret,
    "a long random text",
    "Encrypts backups, and opens them for `mailstead restore`. Keep a copy elsewhere.",
  ),
  "backup.with_secret": setting(
    boolean,
    false,
    "Includes the file secret of the data folder in scheduled backups, which requires a passphrase. Without it, keep a copy of that file yourself.",
  ),
} as const satisfies Record<string, Setting<unknown>>
