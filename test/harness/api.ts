export interface ApiAnswer {
  readonly status: number
  readonly headers: Headers
  /** The JSON body, or the text when it is not JSON, or undefined without a body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests access responses freely
  readonly body: any
}

export interface ApiCall {
  readonly key?: "sk" | "pk" | "none" | (string & {})
  readonly body?: unknown
  /** Sent as it is, instead of `body`. */
  readonly raw?: BodyInit
  readonly headers?: Record<string, string>
}

/** Calls endpoints by method and path: `api("POST /v1/track", { body })`. */
export type ApiClient = (route: string, call?: ApiCall) => Promise<ApiAnswer>

export const apiClient =
  (fetch: (request: Request) => Promise<Response>, keys: { publicKey: string; secret: string }): ApiClient =>
  async (route, { key, body, raw, headers = {} } = {}) => {
    const [method = "GET", path = "/"] = route.split(" ")
    const bearer = keyFor(key ?? (path === "/v1/track" ? "pk" : "sk"), keys)
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const request = new Request(`http://localhost${path}`, {
      method,
      headers: {
        ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(payload === undefined ? {} : { body: payload }),
    })
    return read(await fetch(request))
  }

function keyFor(key: string, keys: { publicKey: string; secret: string }): string | undefined {
  if (key === "none") return undefined
  return key === "sk" ? keys.secret : key === "pk" ? keys.publicKey : key
}

async function read(response: Response): Promise<ApiAnswer> {
  const text = await response.text()
  const { status, headers } = response
  if (text === "") return { status, headers, body: undefined }
  const isJson = headers.get("content-type")?.includes("json") ?? false
  return { status, headers, body: isJson ? JSON.parse(text) : text }
}
