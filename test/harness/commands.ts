import type { Io } from "../../src/commands/args.ts"
import { run } from "../../src/commands/index.ts"
import type { TestApp } from "./app.ts"

/** Runs a command on the folder of the running server, as `mailstead ... --json` would. */
export async function runCommand({ folder }: Pick<TestApp, "folder">, line: string, stdin = "") {
  const printed = { stdout: "", stderr: "" }
  const io: Io = {
    stdout: (text) => {
      printed.stdout += text
    },
    stderr: (text) => {
      printed.stderr += text
    },
    env: {},
    stdin: async () => stdin,
    stop: new AbortController().signal,
  }
  const code = await run([...line.split(" "), "--json", "--data", folder], io)
  return { code, ...printed, json: code === 0 ? JSON.parse(printed.stdout) : undefined }
}
