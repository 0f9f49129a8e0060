/**
 * The hosts from which a mail's HTML would load pictures. The text is parsed without being shown, which runs and loads
 * nothing. Only pictures count: the frame lets nothing else be loaded, asked or not.
 */
export function remoteHosts(html: string): string[] {
  const page = new DOMParser().parseFromString(html, "text/html")
  const sources: string[] = []
  for (const element of page.querySelectorAll("img, source, input, video, image, [background]")) {
    for (const name of ["src", "srcset", "poster", "background", "href", "xlink:href"]) {
      sources.push(element.getAttribute(name) ?? "")
    }
  }
  for (const element of page.querySelectorAll("[style]")) sources.push(element.getAttribute("style") ?? "")
  for (const element of page.querySelectorAll("style")) sources.push(...cssUrls(element.textContent ?? ""))

  const hosts = new Set<string>()
  for (const source of sources) {
    for (const [, host] of source.matchAll(/(?:https?:)?\/\/([^\s/"'()<>,?#]+)/gi)) if (host) hosts.add(host)
  }
  return [...hosts].sort()
}

const cssUrls = (css: string): string[] => css.match(/url\([^)]*\)/gi) ?? []
