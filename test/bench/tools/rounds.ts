import { mkdirSync, rmSync, statfsSync } from "node:fs"
import { join } from "node:path"
import type { Running } from "./process.ts"
import type { Figure } from "./table.ts"

/** How often each contender has its turn. */
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)

export interface Round {
  readonly perSecond: number
  /** Processor time of the program per operation, in ms, all of its threads. */
  readonly cpuMs: number
}

interface Spread {
  readonly median: number
  readonly least: number
  readonly most: number
}

export type Result = Readonly<Record<keyof Round, Spread>>

/** Measures every contender once in each round, so that what else the machine does meets all of them. */
export async function inTurns<Name extends string>(
  contenders: Readonly<Record<Name, () => Promise<Round>>>,
): Promise<Record<Name, Result>> {
  const names = Object.keys(contenders) as Name[]
  const found = new Map<Name, Round[]>(names.map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) for (const name of names) found.get(name)?.push(await contenders[name]())
  return Object.fromEntries([...found].map(([name, all]) => [name, resultOf(all)])) as Record<Name, Result>
}

const resultOf = (all: readonly Round[]): Result => ({
  perSecond: spreadOf(all.map(({ perSecond }) => perSecond)),
  cpuMs: spreadOf(all.map(({ cpuMs }) => cpuMs)),
})

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (place: number) => sorted[place] ?? Number.NaN
  return { median: at(sorted.length >> 1), least: at(0), most: at(sorted.length - 1) }
}

/** One contender as a part of another, by their medians. */
export function compared(
  what: string,
  { ours, against, atLeast, by }: { ours: Result; against: Result; atLeast: number; by: string },
): Figure {
  const ratio = ours.perSecond.median / against.perSecond.median
  const target = atLeast > 0 ? `>= ${atLeast}` : "-"
  return { what, value: shown(ours), limit: shown(against), ratio, target, met: ratio >= atLeast, by }
}

const shown = ({ perSecond, cpuMs }: Result): string =>
  `${whole(perSecond.median)}/s (${whole(perSecond.least)} to ${whole(perSecond.most)}), ${cpuMs.median.toFixed(3)} ms CPU`

const whole = (value: number): string => Math.round(value).toLocaleString("en")

/** The rate of some work, and what it costs the program that does it. */
export async function measured(
  program: Pick<Running, "cpuMs">,
  work: () => Promise<{ perSecond: number; count: number }>,
) {
  const before = program.cpuMs()
  const { perSecond, count } = await work()
  return { perSecond, cpuMs: (program.cpuMs() - before) / count }
}

const tmpfs = 0x01021994

/** @throws when a folder is in memory: commits cost nothing there, and a figure would be of no machine. */
export function requireDisk(folder: string): void {
  const made = join(folder, "mailstead-bench-disk")
  mkdirSync(made, { recursive: true })
  try {
    if (statfsSync(made).type === tmpfs)
      throw new Error(`${folder} is in memory. Set TMPDIR to a folder on the disk to be measured.`)
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}
