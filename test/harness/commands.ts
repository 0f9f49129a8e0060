import type { Command, Io } from "../../src/commands/args.ts"
import { run } from "../../src/commands/index.ts"
import type { TestApp } from "./app.ts"

interface LineOptions {
  readonly env?: Io["env"]
  readonly stdin?: string
  /** Aborted when the program is to stop, as by Ctrl-C. */
  readonly stop?: AbortSignal
  /** Instead of those of the program. */
  readonly commands?: readonly Command[] | undefined
}

/** Runs a command line in this process, as `mailstead ...` would; resolves to its exit code and what it printed. */
export async function runLine(argv: readonly string[], options: LineOptions = {}) {
  const { env = {}, stdin = "", stop = new AbortController().signal, commands } = options
  const printed = { stdout: "", stderr: "" }
  const io: Io = {
    stdout: (text) => {
      printed.stdout += text
    },
    stderr: (text) => {
      printed.stderr += text
    },
    env,
    stdin: async () => stdin,
    stop,
  }
  return { code: await run(argv, io, commands), ...printed }
}

/** Runs a command on the folder of the running server, as `mailstead ... --json` would. */
export async function runCommand({ folder }: Pick<TestApp, "folder">, line: string, stdin = "") {
  const ended = await runLine([...line.split(" "), "--json", "--data", folder], { stdin })
  return { ...ended, json: ended.code === 0 ? JSON.parse(ended.stdout) : undefined }
}
