import { afterEach, expect, mock, spyOn, test } from "bun:test"
import { createPasswords } from "../../src/modules/accounts/passwords.ts"
import { cheapHash } from "../harness/cheap-hash.ts"
import { until } from "../harness/store.ts"

afterEach(() => mock.restore())

const good = "three or four words"

function newPasswords() {
  const { inPlace } = createPasswords(cheapHash)
  return {
    hash: (password: string) => inPlace(undefined, (place) => place.hash(password, "password")),
    verify: (password: string, known: string | undefined) =>
      inPlace(undefined, (place) => place.verify(password, known)),
  }
}

test("a hash that fails once keeps nobody from signing in afterwards", async () => {
  const { hash, verify } = newPasswords()
  const known = await hash(good)
  const hashing = spyOn(Bun.password, "hash").mockRejectedValueOnce(new Error("out of memory"))
  await expect(verify(good, known)).rejects.toThrow("out of memory")
  hashing.mockRestore()
  expect(await verify(good, known)).toBe(true)
  expect(await verify(good, undefined)).toBe(false)
})

test("no more than two are worked on at a time, those for unknown accounts among them", async () => {
  const { hash, verify } = newPasswords()
  const ends: ((hash: string) => void)[] = []
  const hashing = spyOn(Bun.password, "hash").mockImplementation(() => new Promise((resolve) => ends.push(resolve)))
  const first = hash(good)
  const second = hash(good)
  const unknown = verify(good, undefined)
  await until(() => ends.length >= 2)
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
  expect(ends.length).toBe(2)
  hashing.mockRestore()
  for (const end of ends) end("a hash")
  expect(await Promise.all([first, second, unknown])).toEqual(["a hash", "a hash", false])
})
