declare module "*/dist/browser/standalone.js" {
  /** Where the file lies: in node_modules, or inside the executable. */
  const path: string
  export default path
}

declare module "*/page.css" {
  const text: string
  export default text
}
