import { activity } from "./activity.ts"
import { backup } from "./backup.ts"
import { campaigns } from "./campaigns.ts"
import { contacts } from "./contacts.ts"
import { dashboard } from "./dashboard.ts"
import { delivery } from "./delivery.ts"
import { endpoints } from "./endpoints.ts"
import { events } from "./events.ts"
import { csvImport } from "./import.ts"
import { intake } from "./intake.ts"
import { lean } from "./lean.ts"
import { retention } from "./retention.ts"
import { segments } from "./segments.ts"
import { sessions } from "./sessions.ts"
import { signing } from "./signing.ts"
import { smtpClient } from "./smtp-client.ts"
import { start } from "./start.ts"
import { submission } from "./submission.ts"
import { templates } from "./templates.ts"
import { type Figure, printTable } from "./tools/table.ts"
import { tracking } from "./tracking.ts"
import { workflows } from "./workflows.ts"

/**
 * `bun run bench [name ...]`: every figure is compared with a baseline measured in the same run on the same machine.
 */
const benches: Record<string, () => Promise<Figure[]>> = {
  endpoints,
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

const wanted = process.argv.slice(2)
const figures: Figure[] = []
for (const [name, run] of Object.entries(benches))
  if (wanted.length === 0 || wanted.includes(name)) figures.push(...(await run()))
printTable(figures)
