const names = { spf: "SPF", dkim: "DKIM", dmarc: "DMARC", arc: "ARC" } as const

/** Comments and quoted strings: they may contain text of the sender that looks like results (RFC 8601, 2.2). */
const quoted = /"(?:\\.|[^"\\])*"|\((?:\\.|[^()\\])*\)/g

/** What a field Authentication-Results says of each method, of which the first result counts. */
export function senderResults(field: string): { name: string; result: string }[] {
  const statements = field.replace(quoted, "").split(";")
  return Object.entries(names).flatMap(([method, name]) => {
    const statement = statements.find((one) => one.trim().startsWith(`${method}=`)) ?? ""
    const [, result] = /=([a-z]{1,20})/.exec(statement) ?? []
    return result === undefined ? [] : [{ name, result }]
  })
}
