import { Database } from "bun:sqlite"

/** The thread behind `checkpoints.ts`: each message is the path of the database, each answer reports completion. */
declare const self: Worker

self.onmessage = ({ data: path }: MessageEvent<string>) => {
  const client = new Database(path, { readwrite: true })
  try {
    client.run("PRAGMA wal_checkpoint(PASSIVE)")
  } finally {
    client.close()
  }
  self.postMessage(undefined)
}
