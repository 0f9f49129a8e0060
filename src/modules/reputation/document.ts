import { type Static, Type as t } from "@sinclair/typebox"
import { about, answers, id, named, oneOf, refuses, wrapped } from "../../http/openapi/describe.ts"
import { levels, metrics, units } from "./rules.ts"

const rate = () => about("In percent, with 4 decimals.", t.Number())
const window = () =>
  t.Object({
    total: t.Integer(),
    bounces: t.Integer(),
    complaints: t.Integer(),
    bounceRate: rate(),
    complaintRate: rate(),
  })

export const securityReportSchema = named(
  "SecurityReport",
  t.Object({
    status: t.Object({
      projectId: id(),
      isHealthy: t.Boolean(),
      shouldDisable: t.Boolean(),
      twentyFourHour: window(),
      sevenDay: window(),
      allTime: window(),
      isNewProject: about("Whether the project is younger than 30 days.", t.Boolean()),
      violations: about("Findings for which a project is disabled.", t.Array(t.String())),
      warnings: t.Array(t.String()),
    }),
    isDisabled: t.Boolean(),
    levels: t.Object({
      bounce7Day: oneOf(levels),
      bounceAllTime: oneOf(levels),
      complaint7Day: oneOf(levels),
      complaintAllTime: oneOf(levels),
    }),
    limits: about(
      "What is measured, with the values at which it warns and at which the project is disabled.",
      t.Array(
        t.Object({
          metric: oneOf(metrics),
          window: oneOf(["twentyFourHour", "sevenDay", "allTime"]),
          unit: oneOf(units),
          value: t.Number(),
          warning: t.Number(),
          critical: t.Number(),
          level: about("A rate of less than 100 mails is healthy.", oneOf(levels)),
        }),
      ),
    ),
  }),
)

const window120 = { total: 120, bounces: 1, complaints: 0, bounceRate: 0.8333, complaintRate: 0 }
const example: Static<typeof securityReportSchema> = {
  status: {
    projectId: "0199c0de-0000-7000-8000-000000000001",
    isHealthy: true,
    shouldDisable: false,
    twentyFourHour: window120,
    sevenDay: window120,
    allTime: window120,
    isNewProject: true,
    violations: [],
    warnings: [],
  },
  isDisabled: false,
  levels: {
    bounce7Day: "healthy",
    bounceAllTime: "healthy",
    complaint7Day: "healthy",
    complaintAllTime: "healthy",
  },
  limits: [
    {
      metric: "bounce",
      window: "sevenDay",
      unit: "percent",
      value: 0.8333,
      warning: 5,
      critical: 10,
      level: "healthy",
    },
  ],
}

export const reportAnswer = { ...answers(200, securityReportSchema, example), ...refuses(403) }
export const wrappedReportAnswer = {
  ...answers(200, wrapped(securityReportSchema), { success: true, data: example }),
  ...refuses(403),
}
