export type { Emails } from "./actions.ts"
export type { Addressee, BulkMessage, PreparedBulkMessage } from "./bulk.ts"
export { contentStored, findContent } from "./content.ts"
export {
  emailExample,
  emailSchema,
  fullEmailExample,
  fullEmailSchema,
  type sendResultSchema,
  type testedSchema,
} from "./document.ts"
export type { EmailSources } from "./execution-emails.ts"
export { passLeadsOn } from "./leads.ts"
export { insertEmail } from "./ledger.ts"
export { findEmailOf } from "./list.ts"
export { createEmails } from "./module.ts"
export { newEmail } from "./new-email.ts"
export {
  emailChanged,
  emailEnded,
  emailPromoted,
  emailReceived,
  emailReported,
  emailSent,
  emailsReleased,
  type IsCampaignCancelled,
} from "./outcome.ts"
export type { Report } from "./report.ts"
export type { ReportedMail } from "./reported.ts"
export { apiSource, type EmailSource, inboundSource, lanes, systemSource } from "./rules.ts"
export type { Recipient, SendRequest } from "./send.ts"
export {
  type Addressing,
  addressings,
  contentTable,
  type Email,
  type EmailStatus,
  emailStatuses,
  emailTable,
} from "./table.ts"
export { createTemplateEmails } from "./template-emails.ts"
export type { PreparedTemplate } from "./template-mail.ts"
export type { templateTestBody } from "./template-test-wire.ts"
export {
  type AttachmentLimits,
  type EmailContent,
  headerFaults,
  limitFaults,
  presentEmail,
  presentFullEmail,
} from "./wire.ts"
