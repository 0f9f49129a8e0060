import { Type as t } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { about, answers, bySession, named, oneOf, orNull, refuses, time, wrapped } from "../../http/openapi/describe.ts"
import type { Protect } from "../../http/protect.ts"
import { iso } from "../../kernel/clock.ts"
import type { TransportMember } from "../../mail/transports.ts"

export const instanceTransportSchema = named(
  "InstanceTransport",
  t.Object({
    name: about("Server or provider, without credentials.", t.String()),
    lanes: about("Which mail it is configured for.", t.Array(oneOf(["transactional", "bulk"]))),
    sent: about("Messages of the last 60 minutes that it took.", t.Integer()),
    deferred: about("Hand-overs of the last 60 minutes that are tried again.", t.Integer()),
    rejected: about("Messages of the last 60 minutes that it will never take.", t.Integer()),
    unknown: about("Hand-overs of the last 60 minutes without an answer.", t.Integer()),
    perSecond: about("Messages per second in the last minute, whatever became of them.", t.Number()),
    lastError: about(
      "The last one that was not taken since the server has started.",
      orNull(t.Object({ at: time(), outcome: oneOf(["deferred", "rejected", "unknown"]), reason: t.String() })),
    ),
  }),
)

const transportsAnswer = {
  ...answers(200, wrapped(t.Array(instanceTransportSchema)), {
    success: true,
    data: [
      {
        name: "ses://eu-west-1",
        lanes: ["transactional", "bulk"],
        sent: 1200,
        deferred: 3,
        rejected: 1,
        unknown: 0,
        perSecond: 0.4,
        lastError: {
          at: "2026-01-31T09:15:00.000Z",
          outcome: "rejected",
          reason: "SES rejects it: Illegal address",
        },
      },
    ],
  }),
  ...refuses(403),
}

/** What each transport did in the last hour, for the owner of the instance (contract B8.3.22). */
export const transportRoutes = (transports: readonly TransportMember[], protect: Protect) =>
  new Elysia({ prefix: "/instance", detail: { tags: ["Instance"], security: bySession } })
    .use(protect.user({ owner: true }))
    .get("/transports", () => ({ success: true, data: transports.map(presentTransport) }), {
      detail: {
        operationId: "listInstanceTransports",
        summary: "What each transport did in the last hour",
        responses: transportsAnswer,
      },
    })

function presentTransport({ name, lanes, record }: TransportMember) {
  const { lastError, failingSince: _, ...figures } = record.read()
  return { name, lanes: [...lanes], ...figures, lastError: lastError && { ...lastError, at: iso(lastError.at) } }
}
