import type { Clock } from "../../kernel/clock.ts"
import type { Log } from "../../kernel/log.ts"
import { modeOfFolder } from "../../store/mode.ts"
import { openSecret } from "../../store/secret.ts"
import { openStore } from "../../store/store.ts"
import { forgetKeys } from "../domains/index.ts"
import { renewSecretKeys } from "../projects/index.ts"

/**
 * Creates a new secret for a data folder that has lost its own, and replaces everything that was encrypted with the old
 * one: the secret keys of projects and the DKIM keys of domains. Sessions, and links in mail that was sent, become
 * invalid. The folder must not be in use by a server.
 */
export async function makeNewSecret(folder: string, deps: { readonly clock: Clock; readonly log: Log }): Promise<void> {
  const mode = modeOfFolder(folder) ?? "serve"
  const secret = openSecret(folder)
  const store = openStore({ ...deps, folder, holder: `process ${process.pid}`, mode })
  try {
    await store.write("instance", async (unit) => {
      await renewSecretKeys(unit, secret)
      await forgetKeys(unit)
    })
  } finally {
    await store.close()
  }
}
