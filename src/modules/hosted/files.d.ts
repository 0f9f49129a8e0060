declare module "*/page.css" {
  const text: string
  export default text
}
