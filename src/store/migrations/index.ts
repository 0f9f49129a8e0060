import foundation from "./0000_foundation.sql" with { type: "text" }
import contacts from "./0001_contacts.sql" with { type: "text" }
import templates from "./0002_templates.sql" with { type: "text" }
import contactJobs from "./0003_contact_jobs.sql" with { type: "text" }
import segmentsAndCampaigns from "./0004_segments_and_campaigns.sql" with { type: "text" }
import addressMoves from "./0005_address_moves.sql" with { type: "text" }
import dropContactMoves from "./0006_drop_contact_moves.sql" with { type: "text" }

export interface Migration {
  readonly name: string
  readonly sql: string
}

/** In order, for ever: a migration that has been released never changes. The texts are inside the executable. */
export const migrations: readonly Migration[] = [
  { name: "0000_foundation", sql: foundation },
  { name: "0001_contacts", sql: contacts },
  { name: "0002_templates", sql: templates },
  { name: "0003_contact_jobs", sql: contactJobs },
  { name: "0004_segments_and_campaigns", sql: segmentsAndCampaigns },
  { name: "0005_address_moves", sql: addressMoves },
  { name: "0006_drop_contact_moves", sql: dropContactMoves },
]
