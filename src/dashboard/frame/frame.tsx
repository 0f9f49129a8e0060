import IconSelector from "@tabler/icons-react/dist/esm/icons/IconSelector.mjs"
import { Brand } from "./brand.tsx"
import { Initial } from "./initial.tsx"
import { isWithin, type Section, section, sectionAt, sections } from "./sections.ts"

export interface FrameProps {
  /** Of the browser's address. */
  readonly pathname: string
  readonly sandbox: boolean
  /** The name of the current project; undefined while only the browser knows which it is. */
  readonly project: string | undefined
  /** Whether the navigation switches between projects. */
  readonly switches: boolean
}

/**
 * The first view of a page, before its scripts are loaded: navigation and heading in their final places and style.
 * Rendered by the server; the shell and the page then replace it by identical content.
 */
export function Frame({ pathname, sandbox, project, switches }: FrameProps) {
  const current = currentOf(pathname, sandbox)
  const listed = offeredIn(sandbox).filter(({ hidden }) => !hidden)
  const base = /^\/app\/p\/[^/]+/.exec(pathname)?.[0] ?? "/app"
  return (
    <div className="ms-shell">
      <aside className="ms-side">
        <div className="ms-navigation">
          <Brand sandbox={sandbox} />
          {switches && (
            <div className="ms-switcher">
              {project !== undefined && <Initial name={project} />}
              <span className="ms-switched">{project}</span>
              <IconSelector size={16} stroke={1.6} className="ms-chevron" />
            </div>
          )}
          <nav className="ms-links" aria-label="Main">
            {listed.map((item) => (
              <NavLink
                key={item.path}
                item={item}
                base={base}
                isCurrent={current !== undefined && isWithin(current.path, item.path)}
              />
            ))}
          </nav>
        </div>
      </aside>
      <div className="ms-page">
        <Content
          of={current}
          heading={headingOf(current, project)}
          bar={current?.editors?.[pathname.slice(base.length)]}
        />
      </div>
    </div>
  )
}

interface NavLinkProps {
  item: Section
  base: string
  isCurrent: boolean
}

const NavLink = ({ item: { path, name, icon: Icon }, base, isCurrent }: NavLinkProps) => (
  <a href={base + path} className="ms-link" aria-current={isCurrent ? "page" : undefined} title={name}>
    <Icon size={18} stroke={1.7} />
    <span className="ms-label">{name}</span>
  </a>
)

const offeredIn = (sandbox: boolean) => sections.filter(({ serverOnly }) => !(serverOnly && sandbox))

/** The section of an address; other addresses lead to the start page. */
function currentOf(pathname: string, sandbox: boolean): Section | undefined {
  const offered = offeredIn(sandbox)
  return sectionAt(offered, pathname) ?? offered[0]
}

/** The first heading of a section; undefined where only the browser knows it. */
const headingOf = (of: Section | undefined, project: string | undefined): string | undefined =>
  of?.headedByProject ? project : (of?.heading ?? of?.name)

interface ContentProps {
  of: Section | undefined
  heading: string | undefined
  /** The heading of an editor. */
  bar: string | undefined
}

function Content({ of, heading, bar }: ContentProps) {
  if (bar !== undefined)
    return (
      <main className="ms-content" aria-busy="true">
        <header className="ms-bar">
          <h1 className="ms-unseen">{bar}</h1>
        </header>
      </main>
    )
  const title = heading === undefined ? null : <h1 className="ms-title">{heading}</h1>
  if (of?.path === section.inbox.path)
    return (
      <main className="ms-inbox" aria-busy="true">
        <div className="ms-pane">
          <header className="ms-pane-head">
            <div className="ms-pane-line">
              <span className="ms-burger" />
              {title}
            </div>
            <div className="ms-pane-line" />
          </header>
        </div>
      </main>
    )
  return (
    <main className="ms-content" aria-busy="true">
      <header className="ms-head">
        <div className="ms-line">
          <span className="ms-burger" />
          <div className="ms-labels">
            {title}
            {!of?.withoutSummary && <span className="ms-summary" />}
          </div>
        </div>
      </header>
    </main>
  )
}

/** The path of the section that an address leads to. */
export const startOf = ({ pathname, sandbox }: FrameProps): string => currentOf(pathname, sandbox)?.path ?? ""

/** The title of the browser's tab. */
export function titleOf({ pathname, sandbox, project }: FrameProps): string {
  const heading = headingOf(currentOf(pathname, sandbox), project)
  return heading === undefined ? "Mailstead" : `${heading} · Mailstead`
}
