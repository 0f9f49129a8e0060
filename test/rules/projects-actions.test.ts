import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { Bus } from "../../src/bus/bus.ts"
import { DomainError } from "../../src/kernel/errors.ts"
import { createProjects } from "../../src/modules/projects/index.ts"
import { openSecret } from "../../src/store/secret.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"

let it: TestApp
beforeAll(async () => {
  it = await startTestApp()
})
afterAll(() => it.close())

const refusal = (work: Promise<unknown>): Promise<DomainError> =>
  work.then(
    () => expect.unreachable("It was not refused."),
    (cause) => (cause instanceof DomainError ? cause : expect.unreachable(String(cause))),
  )

describe("The name of a project", () => {
  test.each([
    ["one character", "A"],
    ["100 characters", "n".repeat(100)],
    ["100 characters that are two units each", "😀".repeat(100)],
    ["quotes, commas and a tab", 'Shop, "the"\t<best>'],
  ])("may be %s", async (_, name) => {
    expect((await it.app.projects.create(name)).name).toBe(name)
  })

  test("is stored without the white space around it, line breaks too", async () => {
    const { id } = await it.app.projects.create(`\r\n ${"n".repeat(100)}\t\n`)
    expect((await it.app.projects.get(id)).name).toBe("n".repeat(100))
  })

  test.each([
    ["nothing", "", "too_small"],
    ["only white space", " \t\r\n", "too_small"],
    ["101 characters", "n".repeat(101), "too_big"],
    ["101 characters that are two units each", "😀".repeat(101), "too_big"],
    ["two lines", "Shop\r\nBcc: eve@example.com", "invalid_string"],
    ["two lines of another kind", "Shop\nShop", "invalid_string"],
    ["a NUL inside", "Shop\0s", "invalid_string"],
    ["an escape inside", "Shop\u001bs", "invalid_string"],
    ["a DEL inside", "Shop\u007fs", "invalid_string"],
  ])("may not be %s", async (_, name, code) => {
    const before = await it.app.projects.list()
    const { kind, extras } = await refusal(it.app.projects.create(name))
    expect([kind, extras.errors?.map(({ field, code }) => [field, code])]).toEqual(["invalid", [["name", code]]])
    expect(await it.app.projects.list()).toEqual(before)
  })

  test("is the default sender name of mail, with any characters", async () => {
    const { id, secret } = await it.app.projects.create('Shöp, "the"\t<best>')
    await it.app.domains.add(id, "shop.test", { vouched: true })
    const body = { to: "ada@example.com", from: "hi@shop.test", subject: "Hi", body: "<p>Hi</p>" }
    expect((await it.api("POST /v1/send", { key: secret, body })).status).toBe(200)
    await it.settle()
    expect(it.sent()).toHaveLength(1)
    expect((await it.api("GET /emails", { key: secret })).body.data[0]).toMatchObject({ status: "SENT", error: null })
  })
})

describe("Disabling a project", () => {
  /** A project's module of its own, and the signals that it emits. */
  function observed() {
    const emitted: string[] = []
    const emit: Bus["emit"] = async (_, { name }, projectId) => void emitted.push(`${name} ${projectId}`)
    const { store, bus, jobs, config } = it.app
    const nothing = async () => {}
    const engine = { store, ids: it.ids, secret: openSecret(it.folder), bus: { ...bus, emit }, jobs, config }
    return {
      emitted,
      projects: createProjects(engine, {
        audit: it.app.audit,
        disable: nothing,
        erase: nothing,
        eraseSome: async () => 0,
        beforeDeletion: nothing,
      }).actions,
    }
  }

  test("is reported once, and enabling it only as a change", async () => {
    const { emitted, projects } = observed()
    const { id } = await projects.create("Shop")
    await projects.setDisabled(id, "MANUAL")
    expect(await projects.get(id)).toMatchObject({ disabled: true, disabledReason: "MANUAL" })
    await projects.setDisabled(id, null)
    expect(await projects.get(id)).toMatchObject({ disabled: false, disabledReason: null })
    expect(emitted).toEqual([`project.disabled ${id}`])
  })

  test.each(["MANUAL", null] as const)("that does not exist is refused and not reported (%s)", async (reason) => {
    const { emitted, projects } = observed()
    const { kind, code } = await refusal(projects.setDisabled("0199c0de-0000-7000-8000-000000000fff", reason))
    expect([kind, code, emitted]).toEqual(["not_found", "RESOURCE_NOT_FOUND", []])
  })
})
