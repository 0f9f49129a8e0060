import { readArchive, type TakeEntry, textOf } from "./archive.ts"
import { format, type Head, headName, readHead } from "./entries.ts"
import { backupFault, damaged } from "./fault.ts"
import { sealMagic } from "./seal.ts"
import type { BackupSource } from "./source.ts"

/** A backup that was read completely and is valid. */
export interface Checked extends Head {
  /** Of the file. */
  readonly bytes: number
  readonly encrypted: boolean
}

/** Zstandard frames begin with these bytes (RFC 8878, 3.1.1). */
const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/** Reads the whole backup. `take` gets every entry but `backup.json`, once `accept` has taken that. */
export async function readBackup(
  source: BackupSource,
  passphrase: string | undefined,
  accept: (head: Head) => void,
  take: TakeEntry,
): Promise<Checked> {
  const encrypted = await isEncrypted(source)
  if (encrypted && passphrase === undefined)
    throw backupFault(`${source.name} is encrypted: give its passphrase with --passphrase-stdin or backup.passphrase.`)
  let head: Head | undefined
  await readArchive(source.read(), encrypted ? passphrase : undefined, async (name, content) => {
    if (name !== headName) return take(name, content)
    head = headIn(await textOf(content))
    accept(head)
  })
  if (head === undefined) throw damaged()
  return { ...head, bytes: await source.size(), encrypted }
}

function headIn(text: string): Head {
  const head = readHead(text)
  if (head.format <= format) return head
  throw backupFault(`The backup was taken by a newer version of Mailstead (${head.version}). Restore it with that.`)
}

/** Reads a backup back and keeps nothing of it. */
export const checkBackup = (source: BackupSource, passphrase: string | undefined): Promise<Checked> =>
  readBackup(
    source,
    passphrase,
    () => {},
    async (_, content) => {
      for await (const _piece of content);
    },
  )

async function isEncrypted(source: BackupSource): Promise<boolean> {
  const beginning = await source.beginning(sealMagic.length)
  if (beginning.equals(sealMagic)) return true
  if (beginning.subarray(0, zstdMagic.length).equals(zstdMagic)) return false
  throw backupFault(`${source.name} is not a backup of Mailstead.`)
}
