import { systemClock } from "../kernel/clock.ts"
import { reasonOf } from "../kernel/log.ts"
import { makeNewSecret } from "../modules/backups/index.ts"
import { restoreBackup } from "../store/backup/restore.ts"
import { secretIdOf } from "../store/secret.ts"
import { answer } from "./answer.ts"
import { defineCommand, UsageError } from "./args.ts"
import { passphraseOf, passphraseOption } from "./backup.ts"
import { sourceOf } from "./backup-place.ts"
import { logTo } from "./logging.ts"
import { giveToOwnerOf } from "./owner.ts"
import { configOf } from "./settings.ts"

export const restore = defineCommand({
  name: "restore",
  summary: "Restore a backup into an empty data folder",
  about:
    "FILE may be in a bucket: s3://BUCKET/FOLDER/NAME. Everything is checked before the data folder becomes usable. The restored server accepts mail but sends none until " +
    "`mailstead resume`, because the server that was backed up may still be running.",
  words: ["FILE"],
  options: {
    ...passphraseOption,
    "secret-file": { value: "FILE", help: "The file `secret` of the old data folder, for a backup without it" },
    "new-secret": {
      help: "Restore without the secret, if it is lost: projects get new secret keys, domains new DKIM keys",
    },
  },
  async run(io, args) {
    const { data: folder, backup: settings, log } = await configOf(io, args)
    const passphrase = await passphraseOf(io, args.options, settings.passphrase)
    const secretFile = args.options["secret-file"]
    const isLost = args.options["new-secret"]
    if (secretFile !== undefined && isLost)
      throw new UsageError("--secret-file and --new-secret exclude each other: the secret is there or lost.")
    if (secretFile !== undefined) requireSecret(secretFile)
    const source = sourceOf(args.words.FILE, settings.url, io)
    const renew = (staging: string) => makeNewSecret(staging, { clock: systemClock, log: logTo(io, log) })
    const { takenAt, version, isPaused, hasSecret } = await restoreBackup(
      { source, folder, passphrase, secretFile, makeNewSecret: isLost ? renew : undefined, abort: io.stop },
      systemClock,
    )
    giveToOwnerOf(folder)
    if (hasSecret && (secretFile !== undefined || isLost))
      io.stderr(
        `The backup holds its secret, which is in use: --${isLost ? "new-secret" : "secret-file"} was not needed.\n`,
      )
    const lines = [
      `${folder} has the data of ${takenAt}.`,
      ...(isLost && !hasSecret ? [newSecretNote] : []),
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

const newSecretNote =
  "It has a secret of its own now. Each project has a new secret key, which its settings in the dashboard show; each domain " +
  "waits for the DNS records of its new DKIM keys; everybody signs in again; links in mail that was sent are invalid."

/**
 * Checked first, because the restore would find the fault only after it has read the whole backup, and name its own
 * copy.
 */
function requireSecret(path: string): void {
  try {
    secretIdOf(path)
  } catch (cause) {
    throw new Error(`--secret-file ${path} is not the file \`secret\` of a data folder: ${reasonOf(cause)}`)
  }
}
