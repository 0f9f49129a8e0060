import type { ApiAnswer, ApiCall } from "./api.ts"
import type { TestApp } from "./app.ts"

/** A browser: stores its cookies, and sends the headers of our own pages. */
export interface Browser {
  readonly cookies: Map<string, string>
  api(route: string, call?: ApiCall & { project?: string }): Promise<ApiAnswer>
}

/** The `Cookie` header of a browser. */
export const cookieOf = ({ cookies }: Pick<Browser, "cookies">): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")

export const password = "correct horse battery"

export function newBrowser(it: TestApp): Browser {
  const cookies = new Map<string, string>()
  return {
    cookies,
    async api(route, { project, headers = {}, ...call } = {}) {
      const answer = await it.api(route, {
        key: "none",
        ...call,
        headers: {
          "Sec-Fetch-Site": "same-origin",
          Host: "localhost:3000",
          ...(cookies.size > 0 && { Cookie: cookieOf({ cookies }) }),
          ...(project !== undefined && { "X-Project-Id": project }),
          ...headers,
        },
      })
      for (const line of answer.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (/max-age=0\b/i.test(line)) cookies.delete(name)
        else cookies.set(name, value)
      }
      return answer
    },
  }
}

/** A browser that has signed up; the first one is the owner of the instance. */
export async function signUp(it: TestApp, email: string): Promise<Browser & { id: string }> {
  const browser = newBrowser(it)
  const { status, body } = await browser.api("POST /auth/signup", { body: { email, password } })
  if (status !== 201) throw new Error(`Sign-up of ${email} answered ${status}: ${JSON.stringify(body)}`)
  return { ...browser, id: body.data.id }
}

/** A browser that has signed in to an existing account. */
export async function signIn(it: TestApp, email: string, given = password): Promise<Browser> {
  const browser = newBrowser(it)
  const { status, body } = await browser.api("POST /auth/login", { body: { email, password: given } })
  if (status !== 200) throw new Error(`Sign-in of ${email} answered ${status}: ${JSON.stringify(body)}`)
  return browser
}

/** The `Cookie` header of the sandbox's owner, obtained by opening the dashboard. */
export async function sessionOfOwner(it: TestApp): Promise<string> {
  const { headers } = await it.api("GET /app", { key: "none", headers: { Host: "localhost:3000" } })
  return /^[^;]+/.exec(headers.get("set-cookie") ?? "")?.[0] ?? ""
}
