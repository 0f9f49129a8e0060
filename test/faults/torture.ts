import { parseArgs } from "node:util"
import { torture } from "./torture/torture.ts"

/** `bun test/faults/torture.ts --kills 1000`: the longer run of the kill test; prints the tally. */
const { values } = parseArgs({
  options: { kills: { type: "string", default: "100" }, clients: { type: "string", default: "16" } },
})

const tally = await torture({
  kills: Number(values.kills),
  clients: Number(values.clients),
  random: Math.random,
  progress: (killed, errands) => {
    if (killed % 20 === 0) process.stderr.write(`${killed} kills, ${errands} errands\n`)
  },
})
const { broken, ...counts } = tally
for (const [name, count] of Object.entries(counts)) console.log(`${name.padEnd(16)} ${count}`)
console.log(`${"broken promises".padEnd(16)} ${broken.length}`)
for (const sentence of broken.slice(0, 50)) console.log(`  ${sentence}`)
process.exit(broken.length === 0 ? 0 : 1)
