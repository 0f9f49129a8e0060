import { appendFile } from "node:fs/promises"
import { join } from "node:path"
import type { Receipt, TransportPlugin } from "../../src/mail/transport.ts"

/** An example of an operator's plugin: messages are written to a folder, as lines of a file, in batches. */
const folder: TransportPlugin = {
  schemes: [],
  create(url, { log }) {
    const directory = url.searchParams.get("directory")
    if (directory === null) throw new Error("the option `directory` is missing")
    const waiting = new Set<() => void>()
    return {
      name: `folder ${directory}`,
      limits: { concurrency: 4, batch: 10, perSecond: 1_000 },
      async send(messages, signal) {
        const receipts: Receipt[] = []
        for (const message of messages) {
          const [handling] = message.to.address.split(/[@+]/)
          if (signal.aborted) receipts.push({ outcome: "deferred", reason: "stopped" })
          else if (handling === "defer") receipts.push({ outcome: "deferred", reason: "the folder is full" })
          else if (handling === "reject") receipts.push({ outcome: "rejected", reason: "not in this folder" })
          else if (handling === "lose") receipts.push({ outcome: "unknown", reason: "perhaps it is in the folder" })
          else if (handling === "ignore") {
            await new Promise<void>((resolve) => {
              waiting.add(resolve)
              signal.addEventListener("abort", () => resolve(), { once: true })
            })
            receipts.push({ outcome: "deferred", reason: "stopped" })
          } else {
            const { from, to } = message.envelope
            const line = JSON.stringify({ from, to, raw: Buffer.from(message.mime()).toString("base64") })
            await appendFile(join(directory, "messages"), `${line}\n`)
            receipts.push({ outcome: "sent", providerId: `folder-${message.id}` })
          }
        }
        log.debug("kept", { count: messages.length, token: url.searchParams.get("token") })
        return receipts
      },
      async close() {
        for (const wake of waiting) wake()
      },
    }
  },
}

export default folder
