/** One fault of the configuration; `path` is the setting, the variable or the file. */
export interface ConfigFault {
  readonly path: string
  readonly message: string
}

/** The configuration cannot be used. The message shows every fault. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly ConfigFault[]) {
    const count = faults.length === 1 ? "one fault" : `${faults.length} faults`
    super([`The configuration has ${count}:`, ...faults.map((one) => `  ${one.path}: ${one.message}`)].join("\n"))
    this.name = "ConfigError"
  }
}

export const didYouMean = (near: string | undefined): string => (near === undefined ? "" : `; did you mean ${near}?`)
