/** A place in an S3-compatible store, as `backup.url` names it. */
export interface BucketPlace {
  readonly bucket: string
  /** Empty, or ends with a slash. */
  readonly prefix: string
  readonly endpoint: string | undefined
  readonly region: string | undefined
}

const parameters = ["endpoint", "region"]

/** Reads `s3://bucket/folder?endpoint=URL&region=NAME`; undefined when the text is not of that form. */
export function bucketPlaceOf(text: string): BucketPlace | undefined {
  const read = parts(text)
  return read && { ...read.place, prefix: read.names.map((name) => `${name}/`).join("") }
}

/** The same for a URL that ends with the name of an object. */
export function bucketObjectOf(text: string): { readonly place: BucketPlace; readonly name: string } | undefined {
  const read = parts(text)
  const name = read?.names.pop()
  if (read === undefined || name === undefined || new URL(text).pathname.endsWith("/")) return undefined
  return { place: { ...read.place, prefix: read.names.map((folder) => `${folder}/`).join("") }, name }
}

function parts(text: string): { place: Omit<BucketPlace, "prefix">; names: string[] } | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, hostname, pathname, searchParams, username, password, port, hash } = new URL(text)
  const isKnown = [...searchParams.keys()].every((name) => parameters.includes(name))
  if (protocol !== "s3:" || hostname === "" || !isKnown || username + password + port + hash !== "") return undefined
  const [endpoint, region] = parameters.map((name) => searchParams.get(name) ?? undefined)
  if (endpoint !== undefined && !/^https?:\/\/[^/]/.test(endpoint)) return undefined
  try {
    const names = pathname
      .split("/")
      .filter((name) => name !== "")
      .map(decodeURIComponent)
    return { place: { bucket: hostname, endpoint, region }, names }
  } catch {
    return undefined
  }
}
