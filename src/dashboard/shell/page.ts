import type { Icon } from "@tabler/icons-react"
import type { ComponentType, ReactNode } from "react"
import type { Command } from "../context/commands.tsx"
import type { Session } from "../context/session.ts"

/** The part of a page that the navigation and the commands need. */
export interface NavItem {
  /**
   * Relative to the project; to `~/app` for a page without a project. Paths below it belong to the page too, unless
   * another page has them.
   */
  readonly path: string
  readonly name: string
  readonly icon: Icon
}

/** What a page registers with the shell, which imports no page. */
export interface Page extends NavItem {
  readonly content: ComponentType
  /** Loads `content` ahead of its first view. */
  readonly load: () => Promise<unknown>
  /** Whether it is there for this user and project; always when absent. */
  readonly offered?: (session: Session) => boolean
  /** Reached from another page and from the palette, but not listed in the navigation. */
  readonly hidden?: boolean
  /** A hook that returns commands for every page. */
  readonly commands?: () => readonly Command[]
  /** Shown next to its name in the navigation. */
  readonly badge?: ComponentType
  /** Rendered on every page, for example a dialog that its commands open. */
  readonly overlay?: ComponentType
  /** Wraps every page and overlay. */
  readonly provider?: ComponentType<{ children: ReactNode }>
}

/** The page that an address of the browser leads to; undefined where the address says too little. */
export function pageAt(pages: readonly Page[], pathname: string): Page | undefined {
  const location = pathname.replace(/^\/app(\/p\/[^/]+)?/, "")
  const candidates = pages.filter(({ path }) => isWithin(location, path.replace(/^~\/app/, "")))
  return candidates.toSorted((one, other) => other.path.length - one.path.length)[0]
}

export const isWithin = (location: string, path: string): boolean =>
  location === path || location.startsWith(`${path}/`) || location.startsWith(`${path}?`)
