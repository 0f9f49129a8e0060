import { fileURLToPath, pathToFileURL } from "node:url"
import { isObject } from "../../kernel/json.ts"
import { reasonOf } from "../../kernel/log.ts"
import type { Transport, TransportIdentity, TransportPlugin } from "../transport.ts"

/** The plugin in a file that the operator names, `plugin:/absolute/file.ts`. Rejects with an Error that says what is wrong. */
export async function loadPlugin(url: URL): Promise<TransportPlugin> {
  const file = pathOf(url)
  if (!(await Bun.file(file).exists())) throw new Error("there is no such file")
  const module: unknown = await import(pathToFileURL(file).href).catch((cause: unknown) => {
    throw new Error(`it cannot be loaded: ${faultOf(cause)}`)
  })
  const plugin = isObject(module) ? module.default : undefined
  if (!isObject(plugin)) throw new Error("its default export is not a transport plugin, an object { schemes, create }")
  const { create } = plugin
  if (typeof create !== "function") throw new Error("its default export has no function `create`")
  return { schemes: [], create: (given, tools) => create.call(plugin, given, tools) }
}

/** The transport that a plugin made. Throws an Error that names what it lacks. */
export function validTransport(made: unknown): Transport {
  if (!isObject(made)) throw new Error("`create` gave no transport")
  const { name, limits, send, check, verify, close, closeIdle, identity } = made
  if (typeof name !== "string" || name.trim() === "") throw new Error("the transport has no `name`")
  if (typeof send !== "function") throw new Error("the transport has no function `send`")
  if (typeof close !== "function") throw new Error("the transport has no function `close`")
  if (check !== undefined && typeof check !== "function") throw new Error("`check` of the transport is not a function")
  if (verify !== undefined && typeof verify !== "function")
    throw new Error("`verify` of the transport is not a function")
  if (!isObject(limits)) throw new Error("the transport has no `limits`, an object { concurrency, batch }")
  const { concurrency, ahead, batch, perSecond } = limits
  return {
    name,
    limits: {
      concurrency: count("limits.concurrency", concurrency),
      batch: count("limits.batch", batch),
      ...(ahead === undefined ? {} : { ahead: count("limits.ahead", ahead) }),
      ...(perSecond === undefined ? {} : { perSecond: rate(perSecond) }),
    },
    send: (messages, abort) => send.call(made, messages, abort),
    check: async () => check?.call(made),
    ...(verify && { verify: async (abort: AbortSignal) => verify.call(made, abort) }),
    close: () => close.call(made),
    ...(typeof closeIdle === "function" && { closeIdle: () => closeIdle.call(made) }),
    ...(made.beginsEach === true ? { beginsEach: true } : {}),
    ...(made.repeatable === true ? { repeatable: true } : {}),
    ...(identity === undefined ? {} : { identity: validIdentity(identity) }),
  }
}

function validIdentity(made: unknown): TransportIdentity {
  const { register, read, remove } = isObject(made) ? made : {}
  if (typeof register !== "function" || typeof read !== "function" || typeof remove !== "function")
    throw new Error("`identity` of the transport lacks one of `register`, `read` and `remove`")
  return {
    register: (domain, abort, mark) => register.call(made, domain, abort, mark),
    read: (domain, abort) => read.call(made, domain, abort),
    remove: (domain, abort) => remove.call(made, domain, abort),
  }
}

function count(name: string, value: unknown): number {
  if (typeof value === "number" && Number.isInteger(value) && value > 0) return value
  throw new Error(`\`${name}\` of the transport is not a whole number of at least 1`)
}

function rate(value: unknown): number {
  if (typeof value === "number" && Number.isFinite(value) && value > 0) return value
  throw new Error("`limits.perSecond` of the transport is not a number above 0")
}

function pathOf(url: URL): string {
  if (url.host !== "" || !url.pathname.startsWith("/")) throw new Error("write it as plugin:/absolute/path/of/file.ts")
  try {
    return fileURLToPath(`file://${url.pathname}`)
  } catch {
    throw new Error("the path cannot be read; write % as %25")
  }
}

/** The first fault of what `import()` threw, with its place when it is one of syntax. */
function faultOf(cause: unknown): string {
  const first = cause instanceof AggregateError ? cause.errors[0] : cause
  const position = isObject(first) && isObject(first.position) ? first.position : undefined
  const [line = ""] = reasonOf(first).split("\n")
  return position ? `${line} (line ${position.line}, column ${position.column})` : line
}
