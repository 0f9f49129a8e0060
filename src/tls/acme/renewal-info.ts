import { type Clock, hour } from "../../kernel/clock.ts"
import { isObject } from "../../kernel/json.ts"
import { type Certificate, factsOf } from "../certificate.ts"
import type { AcmeClient } from "./client.ts"

/** A third of its lifetime before the end, which leaves time for failures. */
export function usualRenewalAt(certificate: Certificate): number {
  const { beginsAt, expiresAt } = factsOf(certificate)
  return expiresAt - (expiresAt - beginsAt) / 3
}

export interface RenewalAdvice {
  /** In ms. */
  readonly renewAt: number
  /** When to ask again, in ms. */
  readonly askAt: number
}

const askEveryMs = 6 * hour

/**
 * When the authority wants the certificate to be renewed (RFC 9773): at a random time in its window, which it moves to the
 * present when it is going to revoke the certificate. Undefined when it says nothing about it.
 */
export async function renewalAdvice(
  client: Pick<AcmeClient, "resource" | "get">,
  certificate: Certificate,
  { clock, random }: { readonly clock: Pick<Clock, "now">; readonly random: () => number },
): Promise<RenewalAdvice | undefined> {
  const url = await client.resource("renewalInfo")
  const { renewalIdOf } = await import("./signing-request.ts")
  const id = renewalIdOf(certificate.cert)
  if (url === undefined || id === undefined) return undefined
  const { body, retryAfterMs } = await client.get(`${url.replace(/\/$/, "")}/${id}`)
  const { start, end } = isObject(body.suggestedWindow) ? body.suggestedWindow : {}
  const [from, to] = [Date.parse(String(start)), Date.parse(String(end))]
  if (Number.isNaN(from) || Number.isNaN(to) || to <= from) return undefined
  return { renewAt: from + random() * (to - from), askAt: clock.now() + (retryAfterMs ?? askEveryMs) }
}
