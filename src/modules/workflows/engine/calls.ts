import type { Engine } from "../../../engine.ts"
import { second } from "../../../kernel/clock.ts"
import type { JsonObject } from "../../../kernel/json.ts"
import { reasonOf } from "../../../kernel/log.ts"
import { isShortOfTime, pauseForAllowance } from "../../../mail/render/index.ts"
import type { Fetched, SafeFetch } from "../../../net/safe-fetch.ts"
import { tooManyRedirects } from "../../../net/safe-fetch.ts"
import { isSendingPaused } from "../../../store/sending-pause.ts"
import type { Call } from "../table.ts"
import type { Advance } from "./advance.ts"
import {
  type Calling,
  claimCalls,
  claimTheseCalls,
  deleteCall,
  findCalling,
  freeCalls,
  freeLapsedCalls,
  listCallingProjects,
  listCallsOfOthers,
  listStepsCalling,
  postponeCall,
} from "./call-store.ts"
import type { NewEngineUnit } from "./engine-unit.ts"
import type { PrepareRequest, WebhookRequest } from "./request.ts"

/** Requests of one project at a time, and of all. */
const perProject = 16
const inAll = 128
/** Requests of one step at a time, from which on it gives way to other steps of its project. */
const perStep = perProject / 2
/** The lease of a request, which ends within 10 seconds. */
export const leaseMs = 60 * second
const maxResponseBytes = 65_536

interface CallDeps extends Pick<Engine, "store" | "clock" | "random" | "log"> {
  readonly outbound: SafeFetch
  /** The pauses before a failed request is repeated, in ms. */
  readonly pausesMs: readonly number[]
  readonly advance: Advance
  readonly newEngineUnit: NewEngineUnit
  readonly prepareRequest: PrepareRequest
}

/** The outcome of an attempt. */
type Attempt =
  | { readonly is: "answered"; readonly output: JsonObject }
  | { readonly is: "failed"; readonly reason: string }
  | { readonly is: "repeated" }

/**
 * Makes the requests of WEBHOOK steps (contract B5.8): claimed in one unit, sent between two, and answered in another,
 * so that one is repeated after a crash, under the same key. A project that is slow keeps no other waiting, nor a step
 * that is slow another one of its project.
 */
export function createCalls({
  store,
  clock,
  random,
  log,
  outbound,
  pausesMs,
  advance,
  newEngineUnit,
  prepareRequest,
}: CallDeps) {
  // In memory because they describe what this process is doing; the lease in the row decides who makes a request.
  const running = new Map<string, { readonly projectId: string; readonly ended: Promise<void> }>()
  const stopping = new AbortController()

  const runningOf = (projectId: string): string[] =>
    [...running].filter(([, each]) => each.projectId === projectId).map(([id]) => id)

  async function claim(): Promise<Call[]> {
    if (isSendingPaused(store.folder) || running.size >= inAll) return []
    const projects = (await listCallingProjects(store.read, clock.now()))
      .map((project) => ({ ...project, own: runningOf(project.projectId).length }))
      .filter(({ own }) => own < perProject)
      // Projects with the fewest running requests come first, so that several slow projects do not block the others.
      .toSorted((one, other) => one.own - other.own || one.since - other.since)
    if (projects.length === 0) return []
    const first = new Map<string, string[]>()
    for (const { projectId, own } of projects)
      if (own >= perStep) first.set(projectId, await ofOtherSteps(projectId, perProject - own))
    const lease = { owner: store.node, ms: leaseMs }
    return store.write("instance", async (unit) => {
      await freeLapsedCalls(unit, [...running.keys()])
      const claimed: Call[] = []
      for (const { projectId, own } of projects) {
        let free = Math.min(perProject - own, inAll - running.size - claimed.length)
        const others = (first.get(projectId) ?? []).slice(0, Math.max(free, 0))
        if (others.length > 0) {
          const calls = await claimTheseCalls(unit, others, lease)
          claimed.push(...calls)
          free -= calls.length
        }
        if (free > 0) claimed.push(...(await claimCalls(unit, projectId, free, lease)))
      }
      return claimed
    })
  }

  /**
   * The due requests of a project, without those of steps that have enough running requests, for example to a slow
   * server.
   */
  async function ofOtherSteps(projectId: string, limit: number): Promise<string[]> {
    const steps = await listStepsCalling(store.read, runningOf(projectId), perStep)
    return steps.length === 0 ? [] : listCallsOfOthers(store.read, projectId, steps, { now: clock.now(), limit })
  }

  async function perform(call: Call): Promise<void> {
    const calling = await findCalling(store.read, call.id)
    if (calling === undefined) return
    const request = await prepareRequest(store.read, calling).catch((cause) => delayed(cause, calling))
    if ("pauseMs" in request) return postpone(call, request.pauseMs)
    if ("fault" in request) return settle(call, { is: "failed", reason: request.fault })
    const { url, ...options } = request
    const fetched = await outbound(url, {
      ...options,
      redirects: 5,
      maxBytes: maxResponseBytes,
      cutsBody: true,
      timeoutMs: 10 * second,
      abort: stopping.signal,
    })
    // Not an attempt: it is made again after the next start.
    if (stopping.signal.aborted && fetched.outcome !== "answered") return
    await settle(call, outcomeOf(request, fetched, call.attempts + 1))
  }

  /** A request whose texts can be rendered later only (contract A3.6). */
  function delayed(cause: unknown, { stepExecution }: Calling): { pauseMs: number } | { fault: string } {
    if (!isShortOfTime(cause)) throw cause
    const pauseMs = pauseForAllowance(clock.now() - stepExecution.startedAt, random())
    return pauseMs === undefined ? { fault: reasonOf(cause) } : { pauseMs }
  }

  /** Not an attempt. */
  const postpone = ({ id, projectId, attempts }: Call, ms: number): Promise<void> =>
    store.write(projectId, (unit) => postponeCall(unit, id, attempts, unit.now + ms))

  function outcomeOf({ url, method }: WebhookRequest, fetched: Fetched, attempts: number): Attempt {
    const isLast = attempts > pausesMs.length
    if (fetched.outcome === "answered") {
      const { status, body } = fetched
      if (status >= 500 && !isLast) return { is: "repeated" }
      const response = new TextDecoder().decode(body)
      const success = status >= 200 && status < 300
      return { is: "answered", output: { url, method, statusCode: status, success, response, attempts } }
    }
    const isFinal = fetched.outcome === "refused" || fetched.reason === tooManyRedirects || isLast
    return isFinal ? { is: "failed", reason: fetched.reason } : { is: "repeated" }
  }

  /** Records an attempt, unless the execution was cancelled or deleted meanwhile. */
  const settle = (call: Call, attempt: Attempt): Promise<void> =>
    store.write(call.projectId, async (unit) => {
      const attempts = call.attempts + 1
      if (attempt.is === "repeated")
        return postponeCall(unit, call.id, attempts, unit.now + (pausesMs[call.attempts] ?? 0))
      const calling = await findCalling(unit.db, call.id)
      if (!(await deleteCall(unit, call.id)) || calling === undefined) return
      const engineUnit = newEngineUnit(unit)
      if (attempt.is === "answered") await advance.resume(engineUnit, calling.execution, attempt.output)
      else await advance.fail(engineUnit, calling.execution, attempt.reason)
    })

  /** Begins the requests that are due, and reports when each is over. */
  async function begin(onEnd: () => void): Promise<number> {
    const claimed = await claim()
    for (const call of claimed) {
      const ended = perform(call)
        .catch((cause) => log.error("A request of a workflow could not be settled", { reason: reasonOf(cause) }))
        .finally(() => {
          running.delete(call.id)
          onEnd()
        })
      running.set(call.id, { projectId: call.projectId, ended })
    }
    return claimed.length
  }

  const allEnded = () => Promise.all([...running.values()].map(({ ended }) => ended))

  return {
    begin,
    /** Frees the requests of the previous process. */
    open: (): Promise<void> => store.write("instance", (unit) => freeCalls(unit, store.node)),
    /** Makes all requests that are due, and waits for them; resolves to their number. */
    async drain(): Promise<number> {
      const begun = await begin(() => {})
      await allEnded()
      return begun
    },
    async stop(graceMs: number): Promise<void> {
      const grace = new AbortController()
      await Promise.race([allEnded(), clock.sleep(graceMs / 2, grace.signal)])
      grace.abort()
      stopping.abort()
      await allEnded()
    },
  }
}

export type Calls = ReturnType<typeof createCalls>
