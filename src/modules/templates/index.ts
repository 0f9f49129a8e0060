import type { Engine } from "../../engine.ts"
import type { Contacts } from "../contacts/index.ts"
import { type TemplateDeps, templateActions } from "./actions.ts"
import { previewAction } from "./preview.ts"

export type { StepUse, TemplatePorts } from "./actions.ts"
export {
  choice,
  choiceFaults,
  contentFaults,
  contentFields,
  contentOptions,
  mailType,
} from "./content-wire.ts"
export { templateRoutes } from "./routes.ts"
export { caseFold, nameOfCopy } from "./rules.ts"
export { type MailType, mailTypes, type Template, templateTable } from "./table.ts"
export { linkVariables, variablesFor } from "./variables.ts"

export interface TemplatesDeps extends TemplateDeps {
  readonly contacts: Contacts
  readonly baseUrl: () => string
}

/** Templates: content that is written once and sent often. */
export function templates(engine: Pick<Engine, "store" | "ids">, deps: TemplatesDeps) {
  const actions = templateActions(engine, deps)
  return { ...actions, preview: previewAction({ ...deps, get: actions.get }) }
}

export type Templates = ReturnType<typeof templates>
