import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { day, hour, minute } from "../../src/kernel/clock.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { inRow, newScenario, steps, traces } from "../harness/workflows.ts"

/** The scenarios of contract B5.9 by their numbers, on one app, each with a contact of its own. */
const { mail, delay, wait, condition, exit } = steps

let it: TestApp
beforeAll(async () => {
  it = await startTestApp()
})
afterAll(() => it.close())

const drip = () => inRow(mail("R"), delay(1, "hours"), mail("R2"), exit("done"))
const waiting = (eventName: string) => wait(eventName, 60, { "": mail("R"), timeout: mail("M") })
const isPro = { field: "data.plan", operator: "equals", value: "pro" }
const proOrNot = () => condition(isPro, { yes: mail("R"), no: exit("free") })
const minutes = (count: number) => count * minute

describe("Worked scenarios of workflows (contract B5.9)", () => {
  test("1: a mail at once", async () => {
    const { track, start, mails } = await newScenario(it)
    const flow = await start(mail("R"))
    await track("s")
    expect(await traces(it, flow)).toEqual(["T R; COMPLETED"])
    expect(await mails()).toEqual(["R at 0"])
  })

  test("2: no steps", async () => {
    const { track, start, mails } = await newScenario(it)
    const flow = await start(undefined)
    await track("s")
    expect([await traces(it, flow), await mails()]).toEqual([["T; COMPLETED"], []])
  })

  test("3: a delay between two mails", async () => {
    const { track, at, start, mails } = await newScenario(it)
    const flow = await start(drip())
    await track("s")
    await at(hour, 2 * hour)
    expect(await traces(it, flow)).toEqual(["T R D R2 X; EXITED done"])
    expect(await mails()).toEqual(["R at 0", "R2 at 60"])
  })

  test("4: cancelled in the delay", async () => {
    const { track, at, start, mails } = await newScenario(it)
    const flow = await start(drip())
    await track("s")
    await at(minutes(30))
    const { body } = await it.api(`GET /workflows/${flow.id}/executions`)
    const cancelled = await it.api(`DELETE /workflows/${flow.id}/executions/${body.data[0].id}`)
    expect(cancelled.body).toMatchObject({ status: "CANCELLED", exitReason: "cancelled", currentStep: null })
    await at(2 * hour)
    expect(await traces(it, flow)).toEqual(["T R D(SKIPPED); CANCELLED cancelled"])
    expect(await mails()).toEqual(["R at 0"])
    expect((await it.api(`DELETE /workflows/${flow.id}/executions/${body.data[0].id}`)).status).toBe(409)
  })

  test("5: disabled in the delay", async () => {
    const { contact, track, at, start } = await newScenario(it)
    const flow = await start(drip())
    await track("s")
    await at(minutes(30))
    await it.api(`PATCH /workflows/${flow.id}`, { body: { enabled: false } })
    await at(minutes(40))
    await track("s", { of: await contact({}) })
    await at(hour, 2 * hour)
    expect(await traces(it, flow)).toEqual(["T R D R2 X; EXITED done"])
  })

  test("6: no re-entry after the end", async () => {
    const { track, at, start } = await newScenario(it)
    const flow = await start(mail("R"))
    await track("s")
    await at(day)
    await track("s")
    expect(await traces(it, flow)).toEqual(["T R; COMPLETED"])
  })

  test("7: no re-entry after a cancel", async () => {
    const { track, at, start } = await newScenario(it)
    const flow = await start(drip())
    const another = await start(drip())
    await track("s")
    await at(minutes(10))
    await it.api(`POST /workflows/${flow.id}/executions/cancel-all`)
    await at(2 * hour)
    await track("s")
    expect(await traces(it, flow)).toEqual(["T R D(SKIPPED); CANCELLED cancelled"])
    expect(await traces(it, another)).toEqual(["T R D R2 X; EXITED done"])
  })

  test("8: re-entry after the end", async () => {
    const { track, at, start, mails } = await newScenario(it)
    const flow = await start(mail("R"), { allowReentry: true })
    await track("s")
    await at(day)
    await track("s")
    expect(await traces(it, flow)).toEqual(["T R; COMPLETED", "T R; COMPLETED"])
    expect(await mails()).toEqual(["R at 0", "R at 1440"])
  })

  test("9: no re-entry while active", async () => {
    const { track, at, start } = await newScenario(it)
    const flow = await start(drip(), { allowReentry: true })
    const another = await start(mail("R"), { allowReentry: true })
    await track("s")
    await at(minutes(30))
    await track("s")
    await at(hour, 2 * hour)
    await track("s")
    expect(await traces(it, flow)).toEqual(["T R D R2 X; EXITED done", "T R D(SCHEDULED); WAITING"])
    expect(await traces(it, another)).toEqual(Array(3).fill("T R; COMPLETED"))
  })

  test("10: the event comes in time", async () => {
    const { own, contact, track, at, start, mails } = await newScenario(it)
    const flow = await start(waiting(own("buy")))
    await track("s")
    await track("s", { of: await contact({}) })
    await at(minutes(10))
    await track("buy")
    expect(await traces(it, flow)).toEqual(["T W R; COMPLETED", "T W(WAITING); WAITING"])
    expect(await mails()).toEqual(["R at 10"])
  })

  test("11: the event does not come", async () => {
    const { own, track, at, start, mails } = await newScenario(it)
    const flow = await start(waiting(own("buy")))
    await track("s")
    await at(minutes(60), minutes(61))
    expect(await traces(it, flow)).toEqual(["T W M; COMPLETED"])
    expect(await mails()).toEqual(["M at 60"])
  })

  test("12: the event comes too late, and is handled before the time-out is", async () => {
    const { own, track, start } = await newScenario(it)
    const flow = await start(waiting(own("buy")))
    await track("s")
    await it.clock.advance(minutes(61))
    await track("buy")
    expect(await traces(it, flow)).toEqual(["T W M; COMPLETED"])
  })

  test("13: without an exit for the time-out", async () => {
    const { own, track, at, start, mails } = await newScenario(it)
    const flow = await start(wait(own("buy"), 60, { "": mail("R") }))
    await track("s")
    await at(minutes(60), minutes(61))
    expect(await traces(it, flow)).toEqual(["T W R; COMPLETED"])
    expect(await mails()).toEqual(["R at 60"])
  })

  test("14: a wait for ever is cancelled", async () => {
    const { own, track, at, start, mails } = await newScenario(it)
    const flow = await start(wait(own("buy"), undefined, { "": mail("R") }))
    await track("s")
    await at(90 * day)
    const answer = await it.api(`POST /workflows/${flow.id}/executions/cancel-all`)
    expect(answer.body).toEqual({ cancelled: 1 })
    expect(await traces(it, flow)).toEqual(["T W(SKIPPED); CANCELLED cancelled"])
    expect(await mails()).toEqual([])
  })

  test("15: an event before the wait does not count", async () => {
    const { own, track, at, start, mails } = await newScenario(it)
    const flow = await start(inRow(delay(1, "hours"), wait(own("buy"), 60, { "": mail("R"), timeout: exit() })))
    await track("s")
    await at(minutes(30))
    await track("buy")
    await at(hour, minutes(119))
    expect(await traces(it, flow)).toEqual(["T D W(WAITING); WAITING"])
    await at(2 * hour)
    expect(await traces(it, flow)).toEqual(["T D W X; EXITED exit_step"])
    expect(await mails()).toEqual([])
  })

  test("16: the event that starts it does not end its wait", async () => {
    const { own, track, at, start, mails } = await newScenario(it)
    const flow = await start(wait(own("s"), 60, { "": mail("R"), timeout: mail("M") }))
    await track("s")
    await at(minutes(60), minutes(61))
    expect(await mails()).toEqual(["M at 60"])
    expect(await traces(it, flow)).toEqual(["T W M; COMPLETED"])
  })

  test("17: the branch yes", async () => {
    const { track, start, mails } = await newScenario(it)
    const flow = await start(proOrNot())
    await track("s")
    expect(await traces(it, flow)).toEqual(["T C R; COMPLETED"])
    expect(await mails()).toEqual(["R at 0"])
  })

  test("18: the branch no", async () => {
    const { track, start, mails } = await newScenario(it, {})
    const flow = await start(proOrNot())
    await track("s")
    expect([await traces(it, flow), await mails()]).toEqual([["T C X; EXITED free"], []])
  })

  test("19: a branch that leads nowhere", async () => {
    const { track, start, mails } = await newScenario(it, { plan: "free" })
    const flow = await start(condition(isPro, { yes: mail("R") }))
    await track("s")
    expect([await traces(it, flow), await mails()]).toEqual([["T C; COMPLETED"], []])
  })

  test("20: a condition on the event", async () => {
    const { contact, track, start, mails } = await newScenario(it)
    const isLarge = { field: "event.amount", operator: "greaterThan", value: 100 }
    const flow = await start(condition(isLarge, { yes: mail("R"), no: exit() }))
    const other = await contact({})
    await track("s", { data: { amount: 150 } })
    await track("s", { of: other, data: { amount: "150" } })
    expect(await traces(it, flow)).toEqual(["T C R; COMPLETED", "T C X; EXITED exit_step"])
    expect([await mails(), await mails(other)]).toEqual([["R at 0"], []])
  })

  test("21: the first of several branches that is true", async () => {
    const { track, start } = await newScenario(it)
    const branches = [
      { id: "a", name: "A", operator: "equals", value: "free" },
      { id: "b", name: "B", operator: "contains", value: "P" },
    ]
    const flow = await start(
      condition({ mode: "multi", field: "data.plan", branches }, { b: mail("R"), default: exit() }),
    )
    await track("s")
    expect(await traces(it, flow)).toEqual(["T C R; COMPLETED"])
    const { body } = await it.api(`GET /workflows/${flow.id}/executions`)
    const one = await it.api(`GET /workflows/${flow.id}/executions/${body.data[0].id}`)
    expect(one.body.stepExecutions[1].output).toEqual({ branch: "b" })
  })

  test("22: marketing mail to an unsubscribed contact", async () => {
    const { track, start, mails } = await newScenario(it, { plan: "pro" }, false)
    const flow = await start(inRow(mail("M"), mail("R")))
    await track("s")
    expect(await traces(it, flow)).toEqual(["T M R; COMPLETED"])
    expect(await mails()).toEqual(["M at 0 FAILED unsubscribed", "R at 0"])
  })
})
