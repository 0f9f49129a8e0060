export { type Content, checkTemplates } from "./check.ts"
export {
  isShortOfTime,
  RenderFault,
  ranOutOfTime,
  renderError,
  rendering,
  TemplateFault,
  type TemplateField,
  templateError,
  tooSlowForNow,
} from "./faults.ts"
export { acceptedLanguage, type Language, languages, pickLocale } from "./languages.ts"
export { literalContent } from "./literal.ts"
export { isLong } from "./parse-thread.ts"
export { ordinaryMs, pauseForAllowance, type Timed } from "./render-time.ts"
export { type CompiledContent, createRenderer, type Renderer, type RendererOptions } from "./renderer.ts"
export { defaultLimits, type Limits } from "./run.ts"
export {
  compileTemplate,
  maxSourceLength,
  type RenderOptions,
  type Template,
  type TemplateKind,
} from "./template.ts"
export { dotted, missingVariables, pickVariables, type Usage, type Uses } from "./usage.ts"
