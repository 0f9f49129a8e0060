import type { FrameProps } from "../dashboard/frame/frame.tsx"

/** The document of the dashboard, which is the same for each address but for the frame in it. */
export interface DashboardPage {
  /** Its `Content-Security-Policy`. */
  readonly policy: string
  /** Without a frame, and where there is none, the scripts decide what is shown. */
  document(frame: FrameProps | undefined): string
}

/** With the one inline script that the page has. */
const policyWith = (inlineScript: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' 'sha256-${new Bun.CryptoHasher("sha256").update(inlineScript).digest("base64")}'`,
    // Mantine writes its variables into style elements
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "frame-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ")

/** The bundler's references to the styles and the script of the page, in this order. */
const references = /<link rel="stylesheet"[^>]*>|<script type="module"[^>]*><\/script>/g
/** The place of the frame. */
const slot = "<!-- frame -->"

const hint = (attributes: string, path: string): string => `<link ${attributes} href="${path}">`

/** What the session consists of is requested beside the scripts, and not after them. */
const sessionHints = ["/config", "/users/@me", "/users/@me/projects"].map((path) =>
  hint('rel="preload" as="fetch" crossorigin="anonymous"', path),
)

/**
 * The page from the bundler's document. Its own styles are enough for the frame, so the others are referred to after the
 * frame: they hold up the script, and not the frame. What the script renders, with styles that win over them, comes last.
 * `scriptAt` returns the text of a script by its path.
 */
export async function createDashboardPage(html: string, scriptAt: (path: string) => string): Promise<DashboardPage> {
  const { frameMarkup, frameStyles, isOpen, schemeScript } = await import("../dashboard/frame/document.tsx")
  const [styles = "", script = ""] = html.match(references) ?? []
  const scripts = scriptsBySection(/src="([^"]+)"/.exec(script)?.[1] ?? "", scriptAt)
  const page = html
    .replace(references, "")
    .replace("</head>", () => `<script>${schemeScript}</script><style>${frameStyles}</style></head>`)
    .replace(slot, () => slot + styles)
    .replace("</body>", () => `${script}</body>`)
  return {
    policy: policyWith(schemeScript),
    document(frame) {
      if (!frame || isOpen(frame.pathname)) return page.replace(slot, "")
      const { title, section, markup } = frameMarkup(frame)
      const ofPage = (scripts.get(section) ?? []).map((path) => hint('rel="modulepreload"', path))
      return page
        .replace("<title>Mailstead</title>", () => `<title>${title}</title>`)
        .replace(slot, () => markup)
        .replace("</body>", () => `${[...sessionHints, ...ofPage].join("")}</body>`)
    },
  }
}

/** In the entry: the name of a section, and the script that has its page. */
const pageScript = /\.\.\.[\w$]+\.(\w+),\.\.\.[\w$]+\(\(\)=>[^"]*(?:"\w+"\),)?import\("([^"]+)"\)/g
const importedScript = /(?:from|import)\s*"([^"]+\.js)"/g

/** The scripts of each section's page besides the entry, so that none is found only by reading another. */
function scriptsBySection(entry: string, scriptAt: (path: string) => string): Map<string, string[]> {
  const withImports = (path: string, known: Set<string>): Set<string> => {
    if (path === entry || known.has(path)) return known
    known.add(path)
    for (const [, imported = ""] of scriptAt(path).matchAll(importedScript)) withImports(imported, known)
    return known
  }
  const found = scriptAt(entry).matchAll(pageScript)
  return new Map([...found].map(([, name = "", path = ""]) => [name, [...withImports(path, new Set())]]))
}
