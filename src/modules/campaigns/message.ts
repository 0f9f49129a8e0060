import type { Project } from "../projects/index.ts"
import type { Campaign } from "./table.ts"

/** The message of a campaign. The project's name is the sender's name when the campaign has none. */
export const bulkMessageOf = (campaign: Campaign, project: Pick<Project, "name" | "language">) => ({
  source: { kind: "campaign", id: campaign.id } as const,
  projectId: campaign.projectId,
  language: project.language,
  subject: campaign.subject,
  body: campaign.body,
  text: campaign.text,
  from: campaign.from,
  fromName: campaign.fromName?.trim() || project.name || null,
  replyTo: campaign.replyTo,
  type: campaign.type,
})
