import { createDashboardHost } from "../../src/http/dashboard.ts"

/** The dashboard for all apps of a process: bundled by the first request that asks for it, and never again. */
export const dashboard = createDashboardHost()
