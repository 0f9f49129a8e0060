import { renderToStaticMarkup } from "react-dom/server"
import colors from "./colors.css" with { type: "text" }
import { Frame, type FrameProps, startOf, titleOf } from "./frame.tsx"
import navigation from "./navigation.css" with { type: "text" }
import { openPaths, section } from "./sections.ts"
import shell from "./shell.css" with { type: "text" }

/** Sets the chosen colour scheme, or that of the system, before anything is painted. */
export const schemeScript = `{let s;try{s=localStorage.getItem("mailstead.scheme")}catch{}
if(s!=="light"&&s!=="dark")s=matchMedia("(prefers-color-scheme: dark)").matches?"dark":"light"
document.documentElement.dataset.mantineColorScheme=s}`

export const frameStyles = [colors, shell, navigation].join("\n").replaceAll(/\/\*.*?\*\/|\n\s*/gs, "")

const nameOf = (path: string): string => Object.entries(section).find(([, { path: one }]) => one === path)?.[0] ?? ""

export interface FrameMarkup {
  readonly title: string
  /** The name of the section that the address leads to. */
  readonly section: string
  /** The frame in its element, which the page removes when it is there. */
  readonly markup: string
}

/** Whether an address is that of a page which is open to everybody, and has no frame. */
export const isOpen = (pathname: string): boolean => openPaths.some((path) => pathname === `/app${path}`)

export const frameMarkup = (props: FrameProps): FrameMarkup => ({
  section: nameOf(startOf(props)),
  title: renderToStaticMarkup(titleOf(props)),
  markup: renderToStaticMarkup(
    <div id="frame" data-start={startOf(props)}>
      <Frame {...props} />
    </div>,
  ),
})
