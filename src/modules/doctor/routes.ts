import { Type as t } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { about, answers, bySession, named, oneOf, refuses, wrapped } from "../../http/openapi/describe.ts"
import type { Protect } from "../../http/protect.ts"
import { checkStatuses, type Finding } from "./check.ts"

export const doctorCheckSchema = named(
  "DoctorCheck",
  t.Object({
    name: about("What was looked at; transports and domains follow their kind.", t.String()),
    status: oneOf(checkStatuses),
    message: about("What was found and, unless all is well, what to do.", t.String()),
  }),
)

const example = { name: "disk space", status: "ok" as const, message: "18,204 MB are free." }

/** The report of the doctor for the owner of the instance (contract B8.3.23). */
export const doctorRoutes = (doctor: { report(): Promise<Finding[]> }, protect: Protect) =>
  new Elysia({ prefix: "/instance", detail: { tags: ["Instance"], security: bySession } })
    .use(protect.user({ owner: true }))
    .get("/doctor", async () => ({ success: true, data: { checks: await doctor.report() } }), {
      detail: {
        operationId: "runDoctor",
        summary: "Checks of the machine, the network, the transports and the domains, made now",
        responses: {
          ...answers(200, wrapped(t.Object({ checks: t.Array(doctorCheckSchema) })), {
            success: true,
            data: { checks: [example] },
          }),
          ...refuses(403),
        },
      },
    })
