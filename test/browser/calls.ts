import type { TestServer } from "./sandbox-server.ts"

/** Calls the API like a program, with the secret key of a project, by default the first one. */
export function callsTo(server: TestServer, place = 0) {
  const project = server.projects[place]
  if (!project) throw new Error(`no project ${place}`)
  const headers = { Authorization: `Bearer ${project.secret}`, "Content-Type": "application/json" }

  async function call(method: string, path: string, body?: unknown) {
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    const answer = await fetch(server.url + path, init)
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return text === "" ? null : JSON.parse(text)
  }

  return {
    get: (path: string) => call("GET", path),
    post: (path: string, body: unknown) => call("POST", path, body),
    put: (path: string, body: unknown) => call("PUT", path, body),
    patch: (path: string, body: unknown) => call("PATCH", path, body),
    remove: (path: string) => call("DELETE", path),
    /** The stored contact; undefined when there is none. */
    contact: async (email: string) =>
      (await call("GET", `/contacts?search=${encodeURIComponent(email)}`)).data.find(
        (contact: { email: string }) => contact.email === email,
      ),
    /** Creates contacts `p001@example.com` and so on, in order. */
    async addContacts(count: number) {
      for (let number = 1; number <= count; number++) {
        await call("POST", "/contacts", { email: `p${String(number).padStart(3, "0")}@example.com` })
      }
    },
    addTemplate: (fields: Record<string, unknown>) =>
      call("POST", "/templates", {
        name: "Receipt",
        subject: "Thank you, {{firstName ?? friend}}",
        body: "<p>Hello {{firstName ?? friend}}</p>",
        from: "hello@shop.test",
        type: "TRANSACTIONAL",
        ...fields,
      }),
  }
}
