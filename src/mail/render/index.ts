export { type Content, checkTemplates } from "./check.ts"
export {
  RenderFault,
  ranOutOfTime,
  renderError,
  rendering,
  TemplateFault,
  type TemplateField,
  templateError,
} from "./faults.ts"
export { type Language, languages, pickLocale } from "./languages.ts"
export { literalContent } from "./literal.ts"
export { isLong } from "./parse-thread.ts"
export { type CompiledContent, createRenderer, type Renderer, type RendererOptions } from "./renderer.ts"
export { defaultLimits, type Limits, sharedTime, type Timed } from "./run.ts"
export {
  compileTemplate,
  maxSourceLength,
  type RenderOptions,
  type Template,
  type TemplateKind,
} from "./template.ts"
export { dotted, missingVariables, pickVariables, type Usage, type Uses } from "./usage.ts"
