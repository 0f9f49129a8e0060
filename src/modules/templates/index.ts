export type { StepUse, Templates } from "./actions.ts"
export {
  contentFaults,
  contentFields,
  contentOptions,
  mailType,
  shownName,
  textMeaning,
} from "./content-wire.ts"
export type { previewSchema, templateSchema, usageSchema as templateUsageSchema } from "./document.ts"
export { createTemplates } from "./module.ts"
export type { previewBody } from "./preview-wire.ts"
export { caseFold, nameOfCopy, textOf } from "./rules.ts"
export type { sampleSchema as templateSampleSchema } from "./sample.ts"
export { type MailType, mailTypes, type Template, templateTable } from "./table.ts"
export { variablesFor } from "./variables.ts"
export type { newTemplateBody, templateChangeBody } from "./wire.ts"
