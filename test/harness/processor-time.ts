/**
 * The processor time of this process so far, in ms. Unlike wall time it does not grow while a busy machine makes it
 * wait, so a limit on it measures work.
 */
export function workedMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
