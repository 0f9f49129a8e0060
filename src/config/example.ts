import type { Setting } from "./setting.ts"
import { sectionDocs, settingPaths, settings, transportSettings } from "./settings.ts"

/** The width of the example file. */
const width = 118

/**
 * `config/mailstead.example.toml` and `mailstead help config`: every setting in a comment, at its default, or with an
 * example where it has none.
 */
export function exampleFile(): string {
  const sections = Map.groupBy(settingPaths, (path) => (path.includes(".") ? path.slice(0, path.indexOf(".")) : ""))
  const blocks = [...sections].flatMap(([section, paths]) => [
    ...(section === "" ? [] : [[...comment(sectionDocs[section]), `[${section}]`].join("\n")]),
    ...paths.map((path) => entry(path.slice(section === "" ? 0 : section.length + 1), settings[path])),
    ...(section === "mail" ? transportBlocks() : []),
  ])
  // No empty line between a section and its first setting.
  return `${[heading, ...blocks].join("\n\n").replaceAll(/^(#?\[.+\])\n\n/gm, "$1\n")}\n`
}

const heading = `# Mailstead's configuration, with every setting at its default.
#
# Give it to any command with --config FILE, or name it in MAILSTEAD_CONFIG. Every setting can also come from the
# environment: http.base_url is MAILSTEAD_HTTP_BASE_URL, lists separated by spaces. The command line wins over the
# environment, the environment over this file; a file NAME.env beside NAME.toml counts as
# environment. Settings without a default show an example instead.`

function transportBlocks(): string[] {
  return [
    ["# Transports with names, for mail.transactional and mail.bulk.", "# Example:", "#[transports.relay]"].join("\n"),
    ...Object.entries(transportSettings).map(([name, one]) => entry(name, one)),
    "# Example:\n#[transports.newsletter]",
    '#url = ["ses://eu-west-1", "smtp://backup.example.com:587"]',
  ]
}

function entry(name: string, { doc, fallback, example }: Setting<unknown>): string {
  const value =
    example === undefined && "value" in fallback
      ? [`#${name} = ${toml(fallback.value)}`]
      : ["# Example:", `#${name} = ${toml(example)}`]
  return [...comment(doc), ...value].join("\n")
}

const toml = (value: unknown): string =>
  Array.isArray(value) ? `[${value.map(toml).join(", ")}]` : JSON.stringify(value)

function comment(doc = ""): string[] {
  return doc.split("\n").flatMap((line) => (line.startsWith(" ") ? `# ${line}` : wrapped(line)))
}

function wrapped(text: string): string[] {
  const lines: string[] = []
  let line = "#"
  for (const word of text.split(" ").filter((one) => one !== "")) {
    if (line.length + 1 + word.length > width) {
      lines.push(line)
      line = "#"
    }
    line += ` ${word}`
  }
  return line === "#" ? lines : [...lines, line]
}
