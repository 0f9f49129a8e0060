/** The options in the query of a transport's URL. @throws an Error that names one that is not among `known` */
export function optionsIn(url: URL, known: readonly string[]): ReadonlyMap<string, string> {
  const options = new Map(url.searchParams)
  for (const name of options.keys())
    if (!known.includes(name)) throw new Error(`there is no option "${name}"; the options are ${known.join(", ")}`)
  return options
}

/** A whole number from 1 to `most`; `absent` when it is not given. @throws an Error that says so */
export function wholeIn(
  options: ReadonlyMap<string, string>,
  name: string,
  { most, absent }: { readonly most: number; readonly absent: number },
): number {
  const text = options.get(name)
  if (text === undefined) return absent
  const value = /^\d{1,6}$/.test(text) ? Number(text) : 0
  if (value >= 1 && value <= most) return value
  throw new Error(`${name} is a whole number from 1 to ${most}`)
}
