export { checkTemplates } from "./check.ts"
export {
  isShortOfTime,
  RenderFault,
  ranOutOfTime,
  renderError,
  rendering,
  TemplateFault,
  type TemplateField,
  tooSlowForNow,
} from "./faults.ts"
export { acceptedLanguage, type Language, languages, pickLocale } from "./languages.ts"
export { literalContent } from "./literal.ts"
export { isLong } from "./parse-thread.ts"
export { ordinaryMs, pauseForAllowance, type Timed } from "./render-time.ts"
export { type CompiledContent, createRenderer, type Renderer, type RendererOptions } from "./renderer.ts"
export { defaultLimits } from "./run.ts"
export {
  compileTemplate,
  maxSourceLength,
  type Template,
} from "./template.ts"
export { dotted, missingVariables, pickVariables } from "./usage.ts"
