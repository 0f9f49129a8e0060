import type { Data } from "../../../../api/types.ts"
import type { StepType } from "../../../../api/workflows.ts"

/** An exit of a step (contract B5.3.4); the plain one has no name. */
interface Exit {
  readonly branch: string
  readonly name: string
}

interface WithExits {
  readonly type: StepType
  readonly config: Data
}

/** A branch of a CONDITION step with several. */
export type Branch = {
  readonly id: string
  readonly name?: string
  readonly operator?: string
  readonly value?: unknown
  readonly unit?: unknown
}

export const branchesOf = (config: Data): readonly Branch[] =>
  Array.isArray(config.branches) ? (config.branches as readonly Branch[]) : []

export const isMulti = (config: Data): boolean => config.mode === "multi"

export function exitsOf({ type, config }: WithExits): readonly Exit[] {
  switch (type) {
    case "EXIT":
      return []
    case "WAIT_FOR_EVENT":
      return typeof config.timeout === "number"
        ? [
            { branch: "", name: "It happened" },
            { branch: "timeout", name: "Not in time" },
          ]
        : [{ branch: "", name: "" }]
    case "CONDITION":
      if (!isMulti(config))
        return [
          { branch: "yes", name: "Yes" },
          { branch: "no", name: "No" },
        ]
      return [
        ...branchesOf(config).map(({ id, name }, index) => ({ branch: id, name: name || `Branch ${index + 1}` })),
        { branch: "default", name: "Otherwise" },
      ]
    default:
      return [{ branch: "", name: "" }]
  }
}

/** The exit that leads on to what came after a place where the step is put; null for EXIT. */
export const mainExit = (step: WithExits): string | null => exitsOf(step)[0]?.branch ?? null

export const exitName = (step: WithExits, branch: string): string =>
  exitsOf(step).find((exit) => exit.branch === branch)?.name ?? branch

/** The name of an exit of one of the steps; its branch when the step is no longer among them. */
export function exitNameIn(
  steps: readonly (WithExits & { readonly id: string })[],
  stepId: string,
  branch: string,
): string {
  const step = steps.find(({ id }) => id === stepId)
  return step ? exitName(step, branch) : branch
}
