export type { BulkMessage, PreparedBulkMessage } from "./accept/bulk.ts"
export { newEmail } from "./accept/new-email.ts"
export type { Recipient, SendRequest } from "./accept/send.ts"
export type { PreparedTemplate } from "./accept/template-mail.ts"
export type { templateTestBody } from "./accept/template-test-wire.ts"
export type { Emails } from "./actions.ts"
export { contentStored, findContent } from "./content/content.ts"
export { passLeadsOn } from "./deletion/leads.ts"
export { createTemplateEmails } from "./deletion/template-emails.ts"
export {
  emailExample,
  emailSchema,
  fullEmailExample,
  fullEmailSchema,
  type sendResultSchema,
  type testedSchema,
} from "./document.ts"
export { insertEmail } from "./ledger.ts"
export { createEmails } from "./module.ts"
export {
  emailChanged,
  emailEnded,
  emailPromoted,
  emailReceived,
  emailReported,
  emailSent,
  emailsReleased,
} from "./outcome/outcome.ts"
export type { Report } from "./outcome/report.ts"
export type { ReportedMail } from "./outcome/reported.ts"
export { apiSource, type EmailSource, inboundSource, lanes, systemSource } from "./rules.ts"
export { addressings, contentTable, type Email, type EmailStatus, emailStatuses, emailTable } from "./table.ts"
export type { EmailSources } from "./view/execution-emails.ts"
export { findEmailOf } from "./view/list.ts"
export {
  type AttachmentLimits,
  type EmailContent,
  headerFaults,
  limitFaults,
  presentEmail,
  presentFullEmail,
} from "./wire.ts"
