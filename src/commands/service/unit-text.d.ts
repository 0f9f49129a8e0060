declare module "*.service" {
  const text: string
  export default text
}
