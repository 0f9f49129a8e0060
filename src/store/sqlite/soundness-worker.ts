import { plainReasonOf } from "../../kernel/log.ts"
import { requireSound } from "./check-database.ts"
import { openReader } from "./connection.ts"

/** The thread behind `soundness.ts`: the message is the path of the database, the answer its faults. */
declare const self: Worker

self.onmessage = ({ data: path }: MessageEvent<string>) => self.postMessage(faultIn(path))

function faultIn(path: string): string | undefined {
  const { client } = openReader(path)
  try {
    requireSound(client)
  } catch (cause) {
    return plainReasonOf(cause)
  } finally {
    client.close()
  }
  return undefined
}
