import { tmpdir } from "node:os"
import { parseArgs } from "node:util"
import { activity } from "./activity.ts"
import { backup } from "./backup.ts"
import { campaignDelivery } from "./campaign-delivery.ts"
import { campaigns } from "./campaigns.ts"
import { contacts } from "./contacts.ts"
import { dashboard } from "./dashboard.ts"
import { delivery } from "./delivery.ts"
import { endpoints } from "./endpoints.ts"
import { events } from "./events.ts"
import { csvImport } from "./import.ts"
import { intake } from "./intake.ts"
import { lean } from "./lean.ts"
import { lists } from "./lists.ts"
import { retention } from "./retention.ts"
import { segments } from "./segments.ts"
import { sessions } from "./sessions.ts"
import { signing } from "./signing.ts"
import { smtpClient } from "./smtp-client.ts"
import { start } from "./start.ts"
import { submission } from "./submission.ts"
import { templates } from "./templates.ts"
import { compareResults, saveResults } from "./tools/results.ts"
import { requireDisk } from "./tools/rounds.ts"
import { type Figure, printTable } from "./tools/table.ts"
import { tracking } from "./tracking.ts"
import { workflows } from "./workflows.ts"

/**
 * `bun run bench [--json FILE] [name ...]`: every figure is compared with a baseline measured in the same run on the same
 * machine. `bun run bench compare BEFORE.json AFTER.json` prints two results beside each other.
 */
const benches: Record<string, () => Promise<Figure[]>> = {
  endpoints,
  lists,
  contacts,
  events,
  delivery,
  "smtp-client": smtpClient,
  intake,
  submission,
  import: csvImport,
  tracking,
  templates,
  segments,
  campaigns,
  "campaign-delivery": campaignDelivery,
  workflows,
  sessions,
  signing,
  retention,
  backup,
  start,
  lean,
  dashboard,
  activity,
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: "string" } } })
const [first, ...rest] = positionals
const [before, after] = rest
if (first !== "compare") await measure(positionals)
else if (before && after) compareResults(before, after)
else {
  process.stderr.write("Usage: bun run bench compare BEFORE.json AFTER.json\n")
  process.exitCode = 2
}

async function measure(wanted: readonly string[]): Promise<void> {
  const unknown = wanted.filter((name) => !(name in benches))
  if (unknown.length > 0)
    throw new Error(`There is no ${unknown.join(", ")}; there are ${Object.keys(benches).join(", ")}.`)
  requireDisk(tmpdir())
  const figures: Figure[] = []
  for (const [name, run] of Object.entries(benches))
    if (wanted.length === 0 || wanted.includes(name)) figures.push(...(await run()))
  printTable(figures)
  if (values.json) saveResults(values.json, figures)
}
