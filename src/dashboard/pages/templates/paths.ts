/** Names that a template reads as a helper or as something built in, and not as a field (A3.3, A3.4). */
const helpers =
  "eq ne gt gte lt lte and or not upper lower capitalize default truncate join formatDate formatNumber urlencode".split(
    " ",
  )
const builtIn =
  "id svc_id email svc_email subscribed locale unsubscribeUrl subscribeUrl manageUrl event workflow".split(" ")

const plain = /^[^\s!"#%-,./;->@[-^`{-~]+$/

/** A key of `data` as a template writes it: some need brackets, some the way over `data`. */
export function pathOf(key: string): string {
  const name = plain.test(key) ? key : `[${key}]`
  return helpers.includes(key) || builtIn.includes(key) ? `data.${name}` : name
}

/** Whether a source gives the variable a fallback somewhere. */
export function hasFallback(source: string, path: string): boolean {
  const written = path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
  return new RegExp(`\\{\\{[{&~\\s]*${written}\\s*\\?\\?`).test(source)
}
