/** One thing that is wrong with the configuration: `path` is the key, the variable or the file it is about. */
export interface ConfigFault {
  readonly path: string
  readonly message: string
}

/** The configuration cannot be used. Carries every fault found, and its message shows them all. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly ConfigFault[]) {
    const count = faults.length === 1 ? "one fault" : `${faults.length} faults`
    super([`The configuration has ${count}:`, ...faults.map((one) => `  ${one.path}: ${one.message}`)].join("\n"))
    this.name = "ConfigError"
  }
}

export const didYouMean = (near: string | undefined): string => (near === undefined ? "" : `; did you mean ${near}?`)
