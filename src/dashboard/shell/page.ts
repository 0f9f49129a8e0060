import type { ComponentType, ReactNode } from "react"
import type { Command } from "../context/commands.tsx"
import type { Session } from "../context/session.ts"
import type { Section } from "../frame/sections.ts"

/** What a page registers with the shell, which imports no page. */
export interface Page extends Section {
  readonly content: ComponentType
  /** Loads `content` ahead of its first view. */
  readonly load: () => Promise<unknown>
  /** Whether it is there for this user and project, besides what the section says; always when absent. */
  readonly offered?: (session: Session) => boolean
  /** A hook that returns commands for every page. */
  readonly commands?: () => readonly Command[]
  /** Shown next to its name in the navigation. */
  readonly badge?: ComponentType
  /** Rendered on every page, for example a dialog that its commands open. */
  readonly overlay?: ComponentType
  /** Wraps every page and overlay. */
  readonly provider?: ComponentType<{ children: ReactNode }>
}

/** Whether a page is there for this user and project. */
export const isOffered = ({ serverOnly, offered }: Page, session: Session): boolean =>
  !(serverOnly && session.config.sandbox) && (offered?.(session) ?? true)
