const carriers = "img, source, video, audio, input, image, link[rel~=stylesheet i], [background]"
const attributes = ["src", "srcset", "poster", "background", "href", "xlink:href"]

/**
 * The hosts from which a mail's HTML would load pictures, styles and the like. The text is parsed without being shown,
 * which runs and loads nothing.
 */
export function remoteHosts(html: string): string[] {
  const page = new DOMParser().parseFromString(html, "text/html")
  const sources: string[] = []
  for (const element of page.querySelectorAll(carriers)) {
    for (const name of attributes) sources.push(element.getAttribute(name) ?? "")
  }
  for (const element of page.querySelectorAll("[style]")) sources.push(element.getAttribute("style") ?? "")
  for (const element of page.querySelectorAll("style")) sources.push(...cssReferences(element.textContent ?? ""))

  const hosts = new Set<string>()
  for (const source of sources) {
    for (const [, host] of source.matchAll(/(?:https?:)?\/\/([^\s/"'()<>,?#]+)/gi)) if (host) hosts.add(host)
  }
  return [...hosts].sort()
}

const cssReferences = (css: string): string[] => css.match(/url\([^)]*\)|@import[^;]*/gi) ?? []
