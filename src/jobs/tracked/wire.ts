import { Type as t } from "@sinclair/typebox"
import { about, answers, id, named, oneOf, orNull, time } from "../../http/openapi/describe.ts"
import { jobStatuses } from "./status.ts"

/** The fields of every tracked job in responses (contract A5.15, A5.17). */
export const jobFields = {
  jobId: id(),
  status: about("Ask again until it is `completed` or `failed`.", oneOf(jobStatuses)),
  progress: about("Percent.", t.Integer({ minimum: 0, maximum: 100 })),
  createdAt: time(),
  finishedAt: orNull(time()),
}

export const exampleJobId = "0199c0de-0000-7000-8000-0000000000e1"

export const queuedSchema = named(
  "QueuedJob",
  t.Object({ jobId: id(), status: t.Literal("queued"), message: t.String() }),
)

export const presentQueued = (jobId: string, message: string) => ({ jobId, status: "queued" as const, message })

export const queuedAnswer = (message: string) => answers(202, queuedSchema, presentQueued(exampleJobId, message))
