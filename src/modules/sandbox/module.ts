import { Elysia } from "elysia"
import type { Engine } from "../../engine.ts"
import type { Module } from "../../module.ts"
import type { Contacts } from "../contacts/index.ts"
import type { Emails } from "../emails/index.ts"
import type { Incoming } from "../incoming/index.ts"
import type { Projects } from "../projects/index.ts"
import { createSandboxActions, createSimulator } from "./actions.ts"
import { createClockActions, type Turning } from "./clock/actions.ts"
import { clockRoutes } from "./clock/routes.ts"
import { createIntake } from "./intake.ts"
import { createMessageLimit } from "./keep.ts"
import { createReceiver } from "./receiver.ts"
import { sandboxRoutes } from "./routes.ts"
import { deleteEmails } from "./store.ts"

/** Keys that are easy to type (contract A8.3.1). */
export const sandboxKeys = { public: "pk_sandbox", secret: "sk_sandbox" }

export interface SandboxDeps {
  readonly projects: Projects
  readonly contacts: Contacts
  readonly emails: Emails
  readonly incoming: Incoming
  /** Absent unless the clock is manual. */
  readonly turning?: Turning | undefined
}

/** The mail sandbox: accepts mail from any program, stores it as it would be sent, and simulates the receiving side. */
export function createSandbox(
  engine: Pick<Engine, "store" | "ids" | "bus" | "clock" | "jobs" | "config">,
  deps: SandboxDeps,
) {
  const { projects, emails, incoming } = deps
  const actions = {
    ...createSandboxActions(engine),
    intake: createIntake({ ...engine, ...deps }),
    clock: createClockActions(engine, deps.turning),
  }

  /** The built-in project, created if it does not exist. */
  async function builtInProject(): Promise<string> {
    const known = await projects.projectOfKey("secret", sandboxKeys.secret)
    return (known ?? (await projects.create("Sandbox", { keys: sandboxKeys }))).id
  }

  return {
    name: "sandbox",
    actions,
    routes: (protect) =>
      new Elysia().use(sandboxRoutes(actions, emails, protect)).use(clockRoutes(actions.clock, protect)),
    subscribers: [createSimulator(emails)],
    sweeps: [createMessageLimit({ ...engine, projects }, engine.config.sandbox)],
    erase: async (unit, projectId) => void (await deleteEmails(unit, projectId)),
    smtp: {
      auth: "optional",
      authWithoutTls: "anyone",
      receiver: async () => createReceiver({ ...actions, projects, incoming, builtIn: await builtInProject() }),
    },
  } satisfies Module
}
