import { afterEach, expect, mock, spyOn, test } from "bun:test"
import { createPasswords } from "../../src/modules/accounts/passwords.ts"
import { cheapHash } from "../harness/cheap-hash.ts"
import { until } from "../harness/store.ts"

afterEach(() => mock.restore())

const good = "three or four words"

test("a hash that fails once keeps nobody from signing in afterwards", async () => {
  const passwords = createPasswords(cheapHash)
  const known = await passwords.hash(good, "password")
  const hashing = spyOn(Bun.password, "hash").mockRejectedValueOnce(new Error("out of memory"))
  await expect(passwords.verify(good, known)).rejects.toThrow("out of memory")
  hashing.mockRestore()
  expect(await passwords.verify(good, known)).toBe(true)
  expect(await passwords.verify(good, undefined)).toBe(false)
})

test("no more than two are worked on at a time, those for unknown accounts among them", async () => {
  const passwords = createPasswords(cheapHash)
  const ends: ((hash: string) => void)[] = []
  const hashing = spyOn(Bun.password, "hash").mockImplementation(() => new Promise((resolve) => ends.push(resolve)))
  const first = passwords.hash(good, "password")
  const second = passwords.hash(good, "password")
  const unknown = passwords.verify(good, undefined)
  await until(() => ends.length >= 2)
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
  expect(ends.length).toBe(2)
  hashing.mockRestore()
  for (const end of ends) end("a hash")
  expect(await Promise.all([first, second, unknown])).toEqual(["a hash", "a hash", false])
})
