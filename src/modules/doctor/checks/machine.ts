import type { Config } from "../../../config.ts"
import { buildInfo } from "../../../kernel/build-info.ts"
import type { Machine } from "../../../store/machine.ts"
import { type Check, fail, ok, warn } from "../check.ts"

const megabyte = 1_048_576
/**
 * Free space, in bytes: below the first nothing can be written soon; below the second there is no room for an update,
 * which copies the database.
 */
const [leastBytes, goodBytes] = [200 * megabyte, 1_024 * megabyte]
/** How many more files there must be room for: below this the next attachments and pictures may find none. */
const leastFiles = 1_000
/** The least number of open files: for connections of clients and of mail, and for files. */
const goodFiles = 4_096

/** The folder, the disk and the limits of the process: what is known without the network. */
export function machineChecks({ data }: Pick<Config, "data">, machine: Machine): Check[] {
  return [
    { name: "version", run: () => ok(`This is Mailstead ${buildInfo.version} (${buildInfo.commit}).`) },
    {
      name: "data folder",
      run() {
        const folder = machine.folder()
        // Without access to a folder of another user nothing in it can be checked.
        if (folder && !folder.isOwn)
          return warn(`${data} belongs to user ${folder.owner}: run this command as that user, with sudo -u.`)
        if (!folder?.hasDatabase)
          return warn(`${data} has no database yet: start the server, or name another folder with --data.`)
        if (folder.isReadOnly)
          return fail(
            `The disk of ${data} can only be read: see in the log of the system why, and mount it for writing.`,
          )
        if (!folder.isWritable) return fail(`${data} cannot be written: give it to the user that runs Mailstead.`)
        if (folder.isOpenToOthers) return warn(`Other users may read ${data}: run chmod 700 on it.`)
        return ok(`${data} is there and belongs to this user only.`)
      },
    },
    {
      name: "disk space",
      run() {
        const free = machine.freeBytes()
        const text = `${Math.floor(free / megabyte).toLocaleString("en")} MB are free`
        if (free < leastBytes) return fail(`Only ${text}: make space at once, or mail will not be accepted.`)
        const files = machine.freeFiles() ?? leastFiles
        if (files < leastFiles)
          return fail(
            `${text}, but the disk has room for only ${files} more files (df -i): delete some at once, or mail with attachments will not be accepted.`,
          )
        if (free < goodBytes) return warn(`Only ${text}: make space, because an update copies the database.`)
        return ok(`${text}.`)
      },
    },
    {
      name: "open files",
      run() {
        const limit = machine.openFilesLimit()
        if (limit === undefined) return ok("This system does not tell its limit of open files.")
        if (limit < goodFiles)
          return warn(
            `Only ${limit} files and connections may be open: set LimitNOFILE=65536 in the unit, or ulimit -n.`,
          )
        return ok(`${Number.isFinite(limit) ? limit.toLocaleString("en") : "Any number of"} files may be open.`)
      },
    },
  ]
}
