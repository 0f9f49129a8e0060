import type { ComponentType } from "react"
import type { openPaths } from "../../frame/sections.ts"
import type { EntryScreens } from "../../shell/session-provider.tsx"
import { Waiting } from "../../shell/status-screen.tsx"
import { lazy } from "../../ui/on-demand.tsx"

/** The screens before there is a session with a project. */
export const entryScreens: Omit<EntryScreens, "Instance"> = {
  SignedOut: lazy(() => import("./signed-out.tsx"), Waiting),
  SignInAgain: lazy(() => import("./sign-in-again.tsx")),
  Unconfirmed: lazy(() => import("./unconfirmed.tsx"), Waiting),
  FirstProject: lazy(() => import("./first-project.tsx"), Waiting),
  Account: lazy(() => import("./account.tsx"), Waiting),
}

/** Pages that are open to everybody, by their address below `/app`. */
export const openPages: Readonly<Record<(typeof openPaths)[number], ComponentType>> = {
  "/setup": lazy(() => import("./setup.tsx"), Waiting),
  "/sign-up": lazy(() => import("./sign-up.tsx"), Waiting),
  "/forgot": lazy(() => import("./forgot.tsx"), Waiting),
  "/reset": lazy(() => import("./reset.tsx"), Waiting),
  "/verify": lazy(() => import("./verify.tsx"), Waiting),
}
