import { malformed } from "../../kernel/errors.ts"

/** @throws {DomainError} malformed */
export function jsonIn(given: Uint8Array | string): unknown {
  try {
    return JSON.parse(typeof given === "string" ? given : new TextDecoder("utf-8", { fatal: true }).decode(given))
  } catch {
    throw malformed("This is not JSON.")
  }
}
