import { join } from "node:path"
import { systemClock } from "../kernel/clock.ts"
import { findSealed } from "../modules/projects/index.ts"
import { takeBackup } from "../store/backup/take.ts"
import { answer } from "./answer.ts"
import { defineCommand, type Io, pipedLine, UsageError } from "./args.ts"
import { placeOf } from "./backup-place.ts"
import { yieldToOthers } from "./low-priority.ts"
import { configOf } from "./settings.ts"

export const passphraseOption = {
  "passphrase-stdin": { help: "Read the passphrase from standard input; default: backup.passphrase" },
} as const

export async function passphraseOf(
  io: Io,
  options: { readonly "passphrase-stdin": boolean },
  configured: string | null,
): Promise<string | undefined> {
  if (!options["passphrase-stdin"]) return configured ?? undefined
  const passphrase = await pipedLine(io)
  if (passphrase === "") throw new UsageError("standard input begins with an empty line instead of a passphrase")
  return passphrase
}

export const backup = defineCommand({
  name: "backup",
  summary: "Write a consistent backup of all data, also while the server runs",
  about:
    "FILE is a new one, or s3://BUCKET/FOLDER/NAME in a bucket: database, attachments, images and imports, compressed (tar.zst), and encrypted when there is a " +
    "passphrase. It is read back before it gets its name; one for a bucket is kept in backup.folder until it is there. " +
    "Endpoint and region are those of backup.url, or ?endpoint=URL&region=NAME. The file `secret` of the data folder is not in it without " +
    "--with-secret: keep a copy of that, too.",
  words: ["FILE"],
  options: {
    ...passphraseOption,
    "with-secret": { help: "Include the secret of the data folder; requires a passphrase" },
  },
  async run(io, args) {
    const { data: folder, backup: settings } = await configOf(io, args)
    const passphrase = await passphraseOf(io, args.options, settings.passphrase)
    const withSecret = args.options["with-secret"]
    if (withSecret && passphrase === undefined)
      throw new UsageError("--with-secret takes a passphrase: --passphrase-stdin or backup.passphrase")
    const place = placeOf(args.words.FILE, settings.url, io)
    yieldToOthers()
    const take = (target: string) =>
      takeBackup({ folder, target, passphrase, withSecret, abort: io.stop }, { clock: systemClock, findSealed })
    const { bytes, takenAt, encrypted } = await place.fill(settings.folder ?? join(folder, "backups"), take)
    const lines = [
      `${place.name}: ${bytes.toLocaleString("en")} bytes${encrypted ? ", encrypted" : ""}, read back and whole.`,
      ...(withSecret ? [] : ["The secret of the data folder is not in it: keep a copy of that file, too."]),
    ]
    answer(io, args, { file: place.name, bytes, takenAt, encrypted, secret: withSecret }, lines.join("\n"))
    return 0
  },
})
