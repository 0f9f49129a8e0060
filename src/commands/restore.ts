import { systemClock } from "../kernel/clock.ts"
import { reasonOf } from "../kernel/log.ts"
import { restoreBackup } from "../store/backup/restore.ts"
import { secretIdOf } from "../store/secret.ts"
import { answer } from "./answer.ts"
import { defineCommand } from "./args.ts"
import { passphraseOf, passphraseOption } from "./backup.ts"
import { sourceOf } from "./backup-place.ts"
import { giveToOwnerOf } from "./owner.ts"
import { configOf } from "./settings.ts"

export const restore = defineCommand({
  name: "restore",
  summary: "Restore a backup into an empty data folder",
  about:
    "FILE may be in a bucket: s3://BUCKET/FOLDER/NAME. Everything is checked before the data folder becomes usable. The restored server accepts mail but sends none until " +
    "`mailstead resume`, because the one that the backup is of may still be running.",
  words: ["FILE"],
  options: {
    ...passphraseOption,
    "secret-file": { value: "FILE", help: "The file `secret` of the old data folder, for a backup without it" },
  },
  async run(io, args) {
    const { data: folder, backup: settings } = await configOf(io, args)
    const passphrase = await passphraseOf(io, args.options, settings.passphrase)
    const secretFile = args.options["secret-file"]
    if (secretFile !== undefined) requireSecret(secretFile)
    const { takenAt, version, isPaused, hasSecret } = await restoreBackup(
      { source: sourceOf(args.words.FILE, settings.url, io), folder, passphrase, secretFile, abort: io.stop },
      systemClock,
    )
    giveToOwnerOf(folder)
    if (hasSecret && secretFile !== undefined)
      io.stderr("The backup holds its secret, which is in use: --secret-file was not needed.\n")
    const lines = [
      `${folder} has the data of ${takenAt}.`,
      ...(isPaused
        ? [
            `Sending is paused: once no other server sends this mail, mailstead resume --data ${folder} or the dashboard ends that.`,
          ]
        : []),
    ]
    answer(io, args, { data: folder, takenAt, version, paused: isPaused }, lines.join("\n"))
    return 0
  },
})

/** The restore itself would find the same fault, but in its copy, after it has read the backup. */
function requireSecret(path: string): void {
  try {
    secretIdOf(path)
  } catch (cause) {
    throw new Error(`--secret-file ${path} is not the file \`secret\` of a data folder: ${reasonOf(cause)}`)
  }
}
