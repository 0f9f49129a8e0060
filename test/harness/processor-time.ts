/**
 * Milliseconds that this process has worked so far. Unlike time on the wall they do not grow while a busy machine lets it
 * wait, so a limit of them says how much work something is.
 */
export function workedMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
