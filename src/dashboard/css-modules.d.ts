declare module "*.module.css" {
  const classes: Readonly<Record<string, string>>
  export default classes
}
declare module "uplot/dist/uPlot.min.css"

declare module "@xyflow/react/dist/base.css"

/** Styles that the server puts into the document; imported as text. */
declare module "*.css" {
  const text: string
  export default text
}

/** An icon alone: the server does not load all of them for the few of the navigation. */
declare module "@tabler/icons-react/dist/esm/icons/*.mjs" {
  const icon: import("@tabler/icons-react").Icon
  export default icon
}
