import { expect, test } from "bun:test"
import { unusable } from "../../src/store/unusable.ts"

/** An error as the system calls throw it. */
const failed = (code: string, text: string, call: string) =>
  Object.assign(new Error(`${code}: ${text}, ${call}`), { code, syscall: call.split(" ")[0] })

test.each([
  [failed("EACCES", "permission denied", "open '/data/mode'"), "permission denied. Run this as the user that owns it"],
  [failed("EPERM", "operation not permitted", "chmod '/data/mode'"), "operation not permitted. Run this as the user"],
  [
    failed("EROFS", "read-only file system", "mkdir '/it's, here'"),
    "read-only file system. The disk can only be read: mount it for writing, name another folder, or name it in ReadWritePaths of the unit.",
  ],
  [failed("EISDIR", "illegal operation on a directory", "read"), "illegal operation on a directory. A folder is where"],
  [failed("ENXIO", "no such device or address", "open '/data/mode'"), "no such device or address."],
  [Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" }), "database or disk is full. The disk"],
])("an unusable file is named, with the reason in words and what to change (%#)", (cause, text) => {
  expect(unusable("/data/mode", cause).message).toStartWith(`/data/mode: ${text}`)
})
