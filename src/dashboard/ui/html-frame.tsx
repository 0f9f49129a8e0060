import { useEffect, useRef, useState } from "react"

interface PaperProps {
  html: string
  /** Whether pictures and styles may come from elsewhere. */
  remote: boolean
  title: string
  className: string | undefined
}

/**
 * HTML that changes while it is looked at, in a frame without scripts that stays, and keeps its place, from one version
 * to the next. The frame's document comes from the server empty, with a policy of its own that says what may be loaded.
 */
export function Paper({ html, remote, title, className }: PaperProps) {
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
      src={`/app/paper${remote ? "?remote=1" : ""}`}
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      referrerPolicy="no-referrer"
      onLoad={() => setBlank((times) => times + 1)}
    />
  )
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
