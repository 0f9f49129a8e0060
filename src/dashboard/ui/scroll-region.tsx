import type { ReactNode } from "react"

interface ScrollRegionProps {
  label: string
  className: string | undefined
  children: ReactNode
  nowrap?: boolean
}

/** A part of the page that scrolls by itself, so it takes the focus and keeps the arrow keys. */
export function ScrollRegion({ label, className, children, nowrap = false }: ScrollRegionProps) {
  return (
    <section
      className={className}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: otherwise it could not be scrolled by keyboard
      tabIndex={0}
      data-own-arrows
      data-nowrap={nowrap || undefined}
    >
      {children}
    </section>
  )
}
