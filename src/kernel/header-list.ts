import { percentDecoded } from "./percent-encoding.ts"

/**
 * The headers in `name=value,name=value`, values percent-encoded, as OTEL_EXPORTER_OTLP_HEADERS has them; undefined when
 * one of them is invalid.
 */
export function headersIn(text: string): Record<string, string> | undefined {
  const headers: Record<string, string> = {}
  for (const pair of text.split(",")) {
    if (pair.trim() === "") continue
    const at = pair.indexOf("=")
    const [name, value] = [pair.slice(0, Math.max(0, at)).trim(), percentDecoded(pair.slice(at + 1).trim())]
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\x20-\x7e]*$/.test(value)) return undefined
    headers[name] = value
  }
  return headers
}
