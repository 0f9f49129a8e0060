import { type ComponentType, lazy } from "react"
import type { EntryScreens } from "../../shell/session-provider.tsx"

/** The screens before there is a session with a project. */
export const entryScreens: EntryScreens = {
  SignedOut: lazy(() => import("./signed-out.tsx")),
  SignInAgain: lazy(() => import("./sign-in-again.tsx")),
  Unconfirmed: lazy(() => import("./unconfirmed.tsx")),
  FirstProject: lazy(() => import("./first-project.tsx")),
  Account: lazy(() => import("./account.tsx")),
}

/** Pages that are open to everybody, by their address below `/app`. */
export const openPages: Readonly<Record<string, ComponentType>> = {
  "/setup": lazy(() => import("./setup.tsx")),
  "/sign-up": lazy(() => import("./sign-up.tsx")),
  "/forgot": lazy(() => import("./forgot.tsx")),
  "/reset": lazy(() => import("./reset.tsx")),
  "/verify": lazy(() => import("./verify.tsx")),
}
