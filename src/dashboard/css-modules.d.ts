declare module "*.module.css" {
  const classes: Readonly<Record<string, string>>
  export default classes
}
declare module "uplot/dist/uPlot.min.css"

declare module "@xyflow/react/dist/base.css"
