import { useEffect, useRef, useState } from "react"

interface HtmlFrameProps {
  html: string
  /** Whether images and styles may be loaded from other hosts. */
  remote: boolean
  title: string
  className: string | undefined
}

/**
 * Shows HTML that changes while it is viewed. The frame keeps its scroll position between versions. Its empty document
 * comes from the server, with a policy that forbids scripts and restricts what may be loaded.
 */
export function HtmlFrame({ html, remote, title, className }: HtmlFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [blank, setBlank] = useState(0)
  useEffect(() => {
    const page = frame.current?.contentDocument
    if (page && blank > 0) write(page, html)
  }, [html, blank])
  return (
    <iframe
      key={String(remote)}
      ref={frame}
      className={className}
      title={title}
      src={`/app/document${remote ? "?remote=1" : ""}`}
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      referrerPolicy="no-referrer"
      onLoad={({ currentTarget }) => {
        passEscape(currentTarget)
        setBlank((times) => times + 1)
      }}
    />
  )
}

/** A key that is pressed while the frame has the focus does not reach the dialog around it. */
function passEscape(frame: HTMLIFrameElement): void {
  frame.contentDocument?.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") frame.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }))
  })
}

function write(page: Document, html: string): void {
  const { scrollX, scrollY } = page.defaultView ?? { scrollX: 0, scrollY: 0 }
  const parsed = new DOMParser().parseFromString(html, "text/html")
  const base = parsed.createElement("base")
  base.target = "_blank"
  parsed.head.prepend(base)
  page.replaceChild(page.adoptNode(parsed.documentElement), page.documentElement)
  page.defaultView?.scrollTo(scrollX, scrollY)
}
