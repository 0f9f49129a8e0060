import { afterAll, describe, expect, test } from "bun:test"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { buildTransport } from "./build.ts"

const directory = await mkdtemp(join(tmpdir(), "mailstead-identity-"))
afterAll(() => rm(directory, { recursive: true }))

let files = 0

/** The identity of a plugin whose methods are all this one, as the domains are given it. */
async function identityOf(method: string) {
  const file = join(directory, `plugin-${++files}.js`)
  await Bun.write(
    file,
    `const method = ${method}
    export default { create: () => ({
      name: "t", limits: { concurrency: 1, batch: 1 }, send: async () => [], close: async () => {},
      identity: { register: method, read: method, remove: method },
    }) }`,
  )
  const { members } = await buildTransport(`plugin:${file}`)
  const identity = members[0]?.identity
  if (!identity) throw new Error("there is no identity")
  return identity
}

const never = new AbortController().signal
const record = { purpose: "MX", type: "A", name: "n", value: "v", required: true }
const state = {
  mark: "m",
  status: "PENDING",
  dkimTokens: ["t"],
  records: [{ ...record, purpose: "DKIM", type: "TXT" }],
}

describe("what a plugin says of a sender domain", () => {
  test("is taken without what else is in it, and without a mark that is no text", async () => {
    const odd = `async () => { const state = ${JSON.stringify({ ...state, mark: 7 })}; state.self = state; return state }`
    const identity = await identityOf(odd)
    expect(await identity.register("shop.test", never, "m")).toEqual({ ...state, mark: null } as never)
    expect(await identity.read("shop.test", never)).toEqual({ ...state, mark: null } as never)
  })

  test.each<[string, unknown]>([
    ["it gave no state of the domain, an object { mark, status, ... }", "VERIFIED"],
    ["`status` of the domain is none of PENDING, VERIFIED, FAILED", { ...state, status: "verified" }],
    ["`dkimTokens` of the domain is no list", { ...state, dkimTokens: undefined }],
    ["`dkimTokens[1]` of the domain is no text", { ...state, dkimTokens: ["t", 1] }],
    ["`records` of the domain is no list", { ...state, records: undefined }],
    ["`records[0]` of the domain is no object", { ...state, records: [null] }],
    ["`records[0].purpose` of the domain is none of", { ...state, records: [record] }],
    [
      "`records[0].type` of the domain is none of CNAME, TXT, MX",
      { ...state, records: [{ ...record, purpose: "SPF" }] },
    ],
    ["`records[0].required` of the domain is neither true nor false", { ...state, records: [{}] }],
  ])("is an error that names what is wrong: %s", async (expected, given) => {
    const identity = await identityOf(`async () => (${JSON.stringify(given)})`)
    await expect(identity.register("shop.test", never, "m")).rejects.toThrow(expected)
    await expect(identity.read("shop.test", never)).rejects.toThrow(expected)
  })

  test.each(["() => new Promise(() => {})", "() => { throw new Error('no') }"])(
    "is an error also where it never comes, or is thrown at once: %s",
    async (method) => {
      const identity = await identityOf(method)
      const stop = new AbortController()
      const asked = [identity.register("a.test", stop.signal, "m"), identity.read("a.test", stop.signal)]
      const all = Promise.allSettled([...asked, identity.remove("a.test", stop.signal)])
      stop.abort(new Error("no"))
      expect((await all).map((one) => one.status === "rejected" && one.reason.message)).toEqual(["no", "no", "no"])
    },
  )
})
