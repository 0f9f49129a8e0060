import { orAbort } from "../../kernel/abort.ts"
import { isObject } from "../../kernel/json.ts"
import { reasonOf } from "../../kernel/log.ts"
import type { DomainIdentity, IdentityRecord, TransportIdentity } from "../transport.ts"

/**
 * Wraps an identity so that domains can rely on it, whatever a plugin does: results may be stored and shown, calls end
 * when their signal fires, and reasons of rejections may be shown.
 */
export function guardedIdentity(identity: TransportIdentity, clean: (text: string) => string): TransportIdentity {
  const ended = <T>(abort: AbortSignal, asked: Promise<T>) => scrubbed(orAbort(asked, abort), clean)
  const register: TransportIdentity["register"] = async (...asked) => validState(await identity.register(...asked))
  const read: TransportIdentity["read"] = async (...asked) => {
    const found: unknown = await identity.read(...asked)
    return found === undefined ? undefined : validState(found)
  }
  const remove: TransportIdentity["remove"] = async (...asked) => identity.remove(...asked)
  return {
    register: (domain, abort, mark) => ended(abort, register(domain, abort, mark)),
    read: (domain, abort) => ended(abort, read(domain, abort)),
    remove: (domain, abort) => ended(abort, remove(domain, abort)),
  }
}

/** The same, with a reason that may be shown when it rejects. */
export async function scrubbed<T>(asked: Promise<T> | T, clean: (text: string) => string): Promise<T> {
  try {
    return await asked
  } catch (cause) {
    throw new Error(clean(reasonOf(cause)))
  }
}

const statuses = ["PENDING", "VERIFIED", "FAILED"] as const
const purposes = ["DKIM", "SPF", "RETURN_PATH", "DMARC", "INBOUND"] as const
const types = ["CNAME", "TXT", "MX"] as const

/** Throws an Error that names what is wrong with the state that a plugin gave. */
function validState(given: unknown): DomainIdentity {
  if (!isObject(given)) throw new Error("it gave no state of the domain, an object { mark, status, ... }")
  const { mark, status, dkimTokens, records } = given
  return {
    mark: typeof mark === "string" ? mark : null,
    status: oneOf("status", status, statuses),
    dkimTokens: list("dkimTokens", dkimTokens).map((token, at) => text(`dkimTokens[${at}]`, token)),
    records: list("records", records).map((record, at) => validRecord(`records[${at}]`, record)),
  }
}

function validRecord(at: string, given: unknown): IdentityRecord {
  if (!isObject(given)) throw new Error(`\`${at}\` of the domain is no object`)
  const { purpose, type, name, value, priority, required, status } = given
  if (typeof required !== "boolean") throw new Error(`\`${at}.required\` of the domain is neither true nor false`)
  return {
    purpose: oneOf(`${at}.purpose`, purpose, purposes),
    type: oneOf(`${at}.type`, type, types),
    name: text(`${at}.name`, name),
    value: text(`${at}.value`, value),
    ...(typeof priority === "number" && { priority }),
    required,
    ...(status !== undefined && { status: oneOf(`${at}.status`, status, statuses) }),
  }
}

function list(name: string, value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw new Error(`\`${name}\` of the domain is no list`)
}

function text(name: string, value: unknown): string {
  if (typeof value === "string") return value
  throw new Error(`\`${name}\` of the domain is no text`)
}

function oneOf<T extends string>(name: string, value: unknown, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === value)
  if (found !== undefined) return found
  throw new Error(`\`${name}\` of the domain is none of ${allowed.join(", ")}`)
}
