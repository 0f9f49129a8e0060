import type { Clock } from "../../kernel/clock.ts"
import type { Log } from "../../kernel/log.ts"
import { modeOfFolder } from "../../store/mode.ts"
import { openSecret } from "../../store/secret.ts"
import { openStore } from "../../store/store.ts"
import { forgetKeys } from "../domains/index.ts"
import { renewSecretKeys } from "../projects/index.ts"

/**
 * Makes a new secret for a data folder that has lost its own, and replaces what was encrypted with that: the secret keys of
 * projects and the DKIM keys of domains. Sessions and the links in mail that was sent become invalid. No server has the
 * folder open.
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
