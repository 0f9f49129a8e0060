import { Elysia } from "elysia"
import type { Subscriber } from "../../bus/bus.ts"
import { isSignal } from "../../bus/signal.ts"
import type { SessionCookies } from "../../http/cookies.ts"
import type { Module } from "../../module.ts"
import { type AccountDeps, createAccountActions } from "./actions.ts"
import { authRoutes } from "./routes/auth.ts"
import { memberRoutes } from "./routes/members.ts"
import { projectRoutes } from "./routes/projects.ts"
import { passwordResetRequested } from "./signals.ts"
import { deleteMembers } from "./store.ts"

/** Accounts, sessions and members of projects. */
export function createAccounts(
  engine: Parameters<typeof createAccountActions>[0],
  { cookies, ...deps }: AccountDeps & { readonly cookies: SessionCookies },
) {
  const actions = createAccountActions(engine, deps)
  const resets: Subscriber = {
    name: "accounts.resets",
    on: [passwordResetRequested],
    async handle(signals, unit) {
      for (const signal of signals)
        if (isSignal(signal, passwordResetRequested)) await actions.sendReset(unit, signal.payload.email)
    },
  }
  return {
    name: "accounts",
    actions,
    subscribers: [resets],
    beforeDeletion: deleteMembers,
    routes: (protect) =>
      new Elysia()
        .use(authRoutes(actions, protect, cookies))
        .use(projectRoutes(actions, protect))
        .use(memberRoutes(actions, protect)),
    ...(engine.config.mode === "sandbox" && { open: actions.builtIn.make }),
  } satisfies Module
}
