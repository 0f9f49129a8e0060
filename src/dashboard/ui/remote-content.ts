const carriers = "img, source, video, audio, input, image, link[rel~=stylesheet i], [background]"
const attributes = ["src", "srcset", "poster", "background", "href", "xlink:href"]

/**
 * The hosts from which a mail's HTML would load images, styles and the like. The text is parsed but not rendered, so
 * nothing runs or loads.
 */
export function remoteHosts(html: string): string[] {
  const page = new DOMParser().parseFromString(html, "text/html")
  const sources: string[] = []
  for (const element of page.querySelectorAll(carriers)) {
    for (const name of attributes) sources.push(element.getAttribute(name) ?? "")
  }
  for (const element of page.querySelectorAll("[style]"))
    sources.push(...cssReferences(element.getAttribute("style") ?? ""))
  for (const element of page.querySelectorAll("style")) sources.push(...cssReferences(element.textContent ?? ""))

  const hosts = new Set<string>()
  for (const source of sources.filter((one) => !isData(one))) {
    for (const [, host] of withoutData(source).matchAll(/(?:https?:)?\/\/([^\s/"'()<>,?#]+)/gi))
      if (host) hosts.add(host)
  }
  return [...hosts].sort()
}

/** A `data:` URL contains its content, whatever URLs that refers to. */
const isData = (source: string): boolean => /^\s*data:/i.test(source)

/** Without the `data:` URLs in a list, as in `srcset`. */
const withoutData = (source: string): string => source.replace(/(^|[\s,])data:\S+/gi, "$1")

const reference = /url\(\s*(?:"([^"]*)"|'([^']*)'|([^)]*))|@import\s*(?:"([^"]*)"|'([^']*)')/gi

const cssReferences = (css: string): string[] =>
  [...css.matchAll(reference)].map(([, ...parts]) => parts.find((part) => part !== undefined) ?? "")
