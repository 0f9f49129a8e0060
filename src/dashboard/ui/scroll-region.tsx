import type { ReactNode } from "react"

interface ScrollRegionProps {
  label: string
  className: string | undefined
  children: ReactNode
  nowrap?: boolean
}

/** A scrolling part of the page, which can be focused for the arrow keys. */
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
