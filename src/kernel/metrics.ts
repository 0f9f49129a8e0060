/** A label value; a number is shown as text. */
type LabelValue = string | number

/** A value that only grows. */
class Counter {
  value = 0
  add(by = 1): void {
    this.value += by
  }
}

/** How many observations there are up to each bound. Both are in base units: seconds, bytes. */
export class Histogram {
  /** One more than there are bounds: the last is of observations beyond all of them. Not cumulative. */
  readonly counts: Float64Array
  sum = 0
  constructor(readonly bounds: readonly number[]) {
    this.counts = new Float64Array(bounds.length + 1)
  }
  observe(value: number): void {
    let at = 0
    while (at < this.bounds.length && value > (this.bounds[at] ?? 0)) at++
    this.counts[at] = (this.counts[at] ?? 0) + 1
    this.sum += value
  }
}

/** All series of one name. */
interface Family<Series> {
  /** The series with these label values, in the order of the names; made when it is asked for the first time. */
  of(first?: LabelValue, second?: LabelValue, third?: LabelValue): Series
}

/** One value of a gauge, with its label values in the order of the names. */
type Reading = readonly [value: number, ...labels: LabelValue[]]

export interface Metrics {
  /** `name` ends in `_total`. A name that is registered already gives the same family. */
  counter(name: string, help: string, labels?: readonly string[]): Family<Counter>
  histogram(name: string, help: string, bounds: readonly number[], labels?: readonly string[]): Family<Histogram>
  /** A value that goes up and down; `read` is called for every collection. One that rejects is left out of it. */
  gauge(name: string, help: string, labels: readonly string[], read: () => Readings): void
  /** The same for a counter that is kept elsewhere. */
  counted(name: string, help: string, labels: readonly string[], read: () => Readings): void
  /** All families as they are now, by name. */
  collect(): Promise<Collected[]>
}

type Readings = readonly Reading[] | Promise<readonly Reading[]>

export interface Collected {
  readonly name: string
  readonly help: string
  readonly type: "counter" | "gauge" | "histogram"
  readonly labels: readonly string[]
  readonly series: readonly CollectedSeries[]
}

export interface CollectedSeries {
  readonly labels: readonly string[]
  readonly value: number | Histogram
}

/** Bounds in seconds, from what a request of a few rows takes to what a person waits for. */
export const requestBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

interface Registered {
  readonly about: Omit<Collected, "series">
  read(): CollectedSeries[] | Promise<CollectedSeries[]>
}

/**
 * The metrics of this process, in memory: the collector adds them up over restarts. Recording is a look-up in nested
 * maps and an addition, without allocation, so that every request can do it.
 */
export function createMetrics(): Metrics {
  const all = new Map<string, Registered & { readonly family?: Family<unknown> }>()

  function register<Series extends Counter | Histogram>(
    about: Registered["about"],
    make: () => Series,
    show: (series: Series) => number | Histogram,
  ): Family<Series> {
    const known = all.get(about.name)
    if (known?.family) return known.family as Family<Series>
    const tree = createTree(about.labels.length, make)
    const read = () => tree.list().map(({ labels, series }) => ({ labels, value: show(series) }))
    all.set(about.name, { about, read, family: tree })
    return tree
  }

  const reading =
    (type: "counter" | "gauge"): Metrics["gauge"] =>
    (name, help, labels, read) => {
      const about = { name, help, type, labels }
      all.set(name, {
        about,
        read: async () => (await read()).map(([value, ...of]) => ({ labels: of.map(String), value })),
      })
    }

  return {
    counter: (name, help, labels = []) =>
      register(
        { name, help, type: "counter", labels },
        () => new Counter(),
        ({ value }) => value,
      ),
    histogram: (name, help, bounds, labels = []) =>
      register(
        { name, help, type: "histogram", labels },
        () => new Histogram(bounds),
        (series) => series,
      ),
    gauge: reading("gauge"),
    counted: reading("counter"),
    async collect() {
      const read = async ({ about, read }: Registered): Promise<Collected[]> => [{ ...about, series: await read() }]
      const collected = await Promise.all([...all.values()].map((each) => read(each).catch(() => [])))
      return collected.flat().sort((one, other) => (one.name < other.name ? -1 : 1))
    },
  }
}

type Branch<Series> = Map<LabelValue, Branch<Series> | Series>

/** Series by up to three label values: one map in another, so that a look-up makes no key. */
function createTree<Series extends object>(depth: number, make: () => Series) {
  const only = depth === 0 ? make() : undefined
  const root: Branch<Series> = new Map()
  const below = <T extends object>(branch: Branch<Series>, key: LabelValue, make: () => T): T => {
    const known = branch.get(key) as T | undefined
    if (known !== undefined) return known
    const made = make()
    branch.set(key, made as unknown as Series)
    return made
  }
  const inner = (branch: Branch<Series>, key: LabelValue): Branch<Series> => below(branch, key, newBranch)
  const newBranch = (): Branch<Series> => new Map()
  const walk = (branch: Branch<Series>, left: number, labels: string[]): { labels: string[]; series: Series }[] =>
    [...branch].flatMap(([key, next]) =>
      left === 1
        ? [{ labels: [...labels, String(key)], series: next as Series }]
        : walk(next as Branch<Series>, left - 1, [...labels, String(key)]),
    )
  return {
    of(first: LabelValue = "", second: LabelValue = "", third: LabelValue = ""): Series {
      if (only !== undefined) return only
      if (depth === 1) return below(root, first, make)
      if (depth === 2) return below(inner(root, first), second, make)
      return below(inner(inner(root, first), second), third, make)
    },
    list: () => (only === undefined ? walk(root, depth, []) : [{ labels: [], series: only }]),
  }
}
