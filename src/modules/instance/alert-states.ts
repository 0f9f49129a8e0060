import type { Engine } from "../../engine.ts"
import type { AlertState } from "../../kernel/alert-state.ts"
import { minute, second } from "../../kernel/clock.ts"
import type { TransportMember } from "../../mail/transports.ts"
import type { Machine } from "../../store/machine.ts"
import { certificateAlertState, certificateStatus, smtpCertificateAlertState } from "../../tls/status.ts"

const megabyte = 1_048_576
/** An alert ends well beyond its threshold, so that it does not begin again at once. */
const [lowBytes, enoughBytes] = [500 * megabyte, 700 * megabyte]
const [fewFiles, enoughFiles] = [1_000, 2_000]
const failingMs = 10 * minute
const verifyMs = 10 * second

interface AlertStateDeps {
  readonly transports: readonly TransportMember[]
  readonly machine: Pick<Machine, "freeBytes" | "freeFiles">
}

/** The disk, the transports and the certificates. */
export function createAlertStates(
  { config, realClock }: Pick<Engine, "config" | "realClock">,
  { transports, machine }: AlertStateDeps,
) {
  function disk(): AlertState {
    const [free, files = enoughFiles] = [machine.freeBytes(), machine.freeFiles()]
    const isLow = free < lowBytes
    const lacksFiles = files < fewFiles
    const isWell = free > enoughBytes && files >= enoughFiles
    const active = isLow || lacksFiles ? true : isWell ? false : undefined
    return {
      key: "disk",
      active,
      sentence:
        lacksFiles && !isLow
          ? `The disk of the data folder has room for only ${files} more files (df -i): delete some, or mail with attachments will not be accepted.`
          : `Only ${Math.floor(free / megabyte)} MB are free on the disk of the data folder: make space, or mail will not be accepted.`,
    }
  }

  async function transport(member: TransportMember): Promise<AlertState> {
    const { name, record } = member
    const { lastError } = record.read()
    const reason = lastError ? ` (${lastError.reason})` : ""
    return {
      key: `transport ${name}`,
      active: await fails(member),
      sentence: `The transport ${name} has not worked for ten minutes${reason}: look at the provider; its mail waits.`,
    }
  }

  /** Checks a transport that has had no mail since it failed, because another one is used meanwhile. */
  async function fails({ name, record, verify }: TransportMember): Promise<boolean | undefined> {
    const { failingSince: since } = record.read()
    if (since === undefined) return undefined
    if (since === null || realClock.now() - since < failingMs) return false
    if (!verify || !(await works(verify))) return true
    record.worked(name)
    return false
  }

  async function works(verify: NonNullable<TransportMember["verify"]>): Promise<boolean> {
    const done = new AbortController()
    const late = new AbortController()
    const timeout = realClock.sleep(verifyMs, done.signal).then(() => {
      late.abort()
      return false
    })
    const asked = verify(late.signal).then(
      () => true,
      () => false,
    )
    const result = await Promise.race([asked, timeout])
    done.abort()
    return result
  }

  function certificates(): AlertState[] {
    const now = realClock.now()
    const status = certificateStatus(config)
    const states = [status && certificateAlertState(status, now), smtpCertificateAlertState(config.smtp, now)]
    return states.filter((state) => state !== undefined)
  }

  return async (): Promise<AlertState[]> => [
    disk(),
    ...certificates(),
    ...(await Promise.all(transports.map(transport))),
  ]
}
