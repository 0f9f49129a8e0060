import { expect, test } from "bun:test"
import { second } from "../../src/kernel/clock.ts"
import { createLoop, type LoopOptions } from "../../src/kernel/loop.ts"
import { createFakeClock } from "../harness/fake-clock.ts"
import { recordingLog } from "../harness/store.ts"

/** A loop whose steps are counted, and turns of the event loop to let it work. */
function counted(options: Partial<LoopOptions> = {}) {
  const clock = createFakeClock()
  const { log, records } = recordingLog()
  const steps: number[] = []
  const started = clock.now()
  const step = async (stopping: AbortSignal) => {
    steps.push(clock.now() - started)
    await options.step?.(stopping)
  }
  const loop = createLoop({ clock, log, name: "test", idleMs: 10 * second, ...options, step })
  return { clock, records, steps, loop }
}

async function turns(count = 3): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise(setImmediate)
}

test("a loop steps at its start and then after each idle time", async () => {
  const { loop, clock, steps } = counted()
  await turns()
  expect(steps).toEqual([])
  loop.start()
  await turns()
  await clock.advance(9_999)
  expect(steps).toEqual([0])
  await clock.advance(10_001)
  await turns()
  expect(steps).toEqual([0, 10_000, 20_000])
  await loop.stop()
})

test("loops of different idle times and beginnings rest until the same whole seconds", async () => {
  const [one, other, brief] = [counted({ idleMs: second }), counted({ idleMs: 3 * second }), counted({ idleMs: 400 })]
  for (const { loop, clock } of [one, other, brief]) {
    await clock.advance(250)
    loop.start()
    await turns()
    for (let second = 0; second < 4; second++) await clock.advance(1_000)
    await loop.stop()
  }
  expect(one.steps).toEqual([250, 1_000, 2_000, 3_000, 4_000])
  expect(other.steps).toEqual([250, 3_000])
  expect(brief.steps.slice(0, 4)).toEqual([250, 650, 1_050, 1_450])
})

test("a loop that is woken steps at once, and once for many calls", async () => {
  const { loop, clock, steps } = counted()
  loop.start()
  await turns()
  await clock.advance(500)
  for (let call = 0; call < 5; call++) loop.wake()
  await turns()
  expect(steps).toEqual([0, 500])
  await loop.stop()
})

test("a loop with a delay waits a moment after being woken", async () => {
  const { loop, clock, steps } = counted({ batchDelayMs: 5 })
  loop.start()
  await turns()
  loop.wake()
  await turns()
  expect(steps).toEqual([0])
  await clock.advance(5)
  await turns()
  expect(steps).toEqual([0, 5])
  await loop.stop()
})

test("a call that comes during a step is not lost", async () => {
  const gate = Promise.withResolvers<void>()
  const { loop, steps } = counted({ step: () => gate.promise })
  loop.start()
  await turns()
  loop.wake()
  gate.resolve()
  await turns()
  expect(steps).toEqual([0, 0])
  await loop.stop()
})

test("a failed step is logged, and the loop continues after a pause", async () => {
  let failures = 0
  const { loop, clock, steps, records } = counted({
    step: async () => {
      if (failures++ < 2) throw new Error("Out of order.")
    },
  })
  loop.start()
  await turns()
  await clock.advance(999)
  expect(steps).toEqual([0])
  await clock.advance(1_001)
  await turns()
  expect(steps).toEqual([0, 1_000, 2_000])
  expect(records.map(({ level, fields }) => [level, fields])).toEqual([
    ["error", { loop: "test", reason: "Out of order." }],
    ["error", { loop: "test", reason: "Out of order." }],
  ])
  await loop.stop()
})

test("stopping aborts the step, waits for its end, and ends the loop", async () => {
  const gate = Promise.withResolvers<void>()
  const told: boolean[] = []
  const { loop, clock, steps } = counted({
    step: async (stopping) => {
      await gate.promise
      told.push(stopping.aborted)
    },
  })
  loop.start()
  await turns()
  let over = false
  const stopped = loop.stop().then(() => {
    over = true
  })
  await turns()
  expect(over).toBe(false)
  gate.resolve()
  await stopped
  loop.wake()
  await clock.advance(60_000)
  expect([steps, told]).toEqual([[0], [true]])
})

test("an idle loop stops at once, and so does one that was never started", async () => {
  const { loop } = counted()
  loop.start()
  await turns()
  await loop.stop()
  const never = counted()
  never.loop.wake()
  await never.loop.stop()
  expect(never.steps).toEqual([])
})

test("a loop that is stopped during its delay takes no further step", async () => {
  const { loop, steps } = counted({ batchDelayMs: 5 })
  loop.start()
  await turns()
  loop.wake()
  await turns()
  await loop.stop()
  expect(steps).toEqual([0])
})

test("a paused loop begins no step until it is resumed, and the pause waits for the running one", async () => {
  const running = Promise.withResolvers<void>()
  const { loop, clock, steps } = counted({ step: () => running.promise })
  loop.start()
  await turns()
  let isPaused = false
  const pausing = loop.pause().then(() => {
    isPaused = true
  })
  await turns()
  expect([steps, isPaused]).toEqual([[0], false])
  running.resolve()
  await pausing
  loop.wake()
  await turns()
  await clock.advance(60 * second)
  expect(steps).toEqual([0])
  loop.resume()
  await turns()
  expect(steps.length).toBe(2)
  await loop.stop()
})

test("a paused loop can be stopped", async () => {
  const { loop, steps } = counted()
  await loop.pause()
  loop.start()
  await turns()
  await loop.stop()
  expect(steps).toEqual([])
})
