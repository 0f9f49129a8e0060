const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
]
const systems: readonly (readonly [RegExp, string])[] = [
  [/\b(?:iPhone|iPad)\b/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
]

const nameIn = (names: readonly (readonly [RegExp, string])[], text: string): string | undefined =>
  names.find(([pattern]) => pattern.test(text))?.[1]

/** The name of the device of a `User-Agent`, for display. */
export function deviceOf(userAgent: string): { readonly name: string; readonly isMobile: boolean } {
  const browser = nameIn(browsers, userAgent)
  const system = nameIn(systems, userAgent)
  const name =
    browser && system ? `${browser} on ${system}` : (browser ?? system ?? (userAgent.slice(0, 60) || "Unknown"))
  return { name, isMobile: /\bMobile\b|\bAndroid\b|\biPhone\b/.test(userAgent) }
}
