import { buildTransport } from "../contracts/build.ts"
import { messageTo } from "../contracts/messages.ts"

/** `smtp-send.ts URL ...`: sends a mail by each transport and prints `sent` or the reason for each, as JSON. */
const results: string[] = []
for (const url of process.argv.slice(2)) {
  const { transport, send } = await buildTransport(url)
  const receipt = await send(messageTo("ada@example.com"))
  results.push(receipt.outcome === "sent" ? "sent" : receipt.reason)
  await transport.close()
}
console.log(JSON.stringify(results))
