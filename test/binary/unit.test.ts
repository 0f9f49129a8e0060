import { expect, test } from "bun:test"
import { placesOf } from "../../src/commands/service/places.ts"
import { unitText } from "../../src/commands/service/unit.ts"
import { childrenOf } from "../harness/processes.ts"
import { until } from "../harness/store.ts"
import { emptyPlace } from "./program.ts"

/** The system calls of a group of systemd. */
function callsIn(group: string): string[] {
  const { stdout, success } = Bun.spawnSync(["systemd-analyze", "syscall-filter", group])
  if (!success) throw new Error("systemd-analyze is missing: apt-get install systemd")
  const names = stdout.toString().split("\n").slice(1)
  return names
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .flatMap((name) => (name.startsWith("@") ? callsIn(name) : [name]))
}

/** What the unit of systemd forbids. */
const forbidden = [...unitText(placesOf({}, true)).matchAll(/^SystemCallFilter=~(.+)$/gm)].flatMap(([, groups = ""]) =>
  groups.split(" ").flatMap(callsIn),
)

/** Fails these calls; a question mark before those that this machine does not have. */
function withoutCalls(calls: readonly string[]): string[] {
  const list = calls.map((name) => `?${name}`).join(",")
  return ["/usr/bin/strace", "-f", "-qqq", "--seccomp-bpf", "-o", "/dev/null", "-e", `inject=${list}:error=EPERM`]
}

test("everything works with the system calls that the unit allows", async () => {
  expect(forbidden).toEqual(expect.arrayContaining(["chroot", "setpriority"]))
  const place = emptyPlace(withoutCalls(forbidden))
  const server = await place.start(["sandbox", "--port", "0", "--smtp-port", "0"], /Stop with/)
  const url = /listening on (\S+)/.exec(server.printed)?.[1] ?? ""
  const api = async (method: string, path: string, body?: object) => {
    const answer = await fetch(url + path, {
      method,
      headers: { Authorization: "Bearer sk_sandbox", "Content-Type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: (await answer.json()) as { data?: unknown; total?: unknown } }
  }
  await api("POST", "/contacts", { email: "a@example.com", data: { plan: "pro" } })
  const condition = { logic: "AND", groups: [{ filters: [{ field: "data.plan", operator: "equals", value: "pro" }] }] }
  const segment = { name: "Pros", type: "DYNAMIC", condition }
  expect(await api("POST", "/segments", segment)).toMatchObject({ status: 201, body: { memberCount: 1 } })
  const content = { name: "News", subject: "Hi", body: "<p>Hi</p>", from: "a@acme.test", audienceType: "ALL" }
  const { body } = await api("POST", "/campaigns", content)
  const { id } = body.data as { id: string }
  expect(await api("POST", `/campaigns/${id}/send`, {})).toMatchObject({ status: 200 })
  await until(async () => (await api("GET", `/emails?campaignId=${id}&status=DELIVERED`)).body.total === 1)
  // strace passes no signal on, and ends with the status of what it has run.
  for (const pid of childrenOf(server.pid)) process.kill(pid, "SIGTERM")
  expect(await server.stop()).toBe(0)
  place.remove()
}, 110_000)
