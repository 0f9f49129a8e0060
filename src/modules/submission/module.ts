import type { Engine } from "../../engine.ts"
import type { Module } from "../../module.ts"
import { createReceiver, type SubmissionDeps } from "./receiver.ts"

/**
 * Mail by SMTP on every port of the server (contract B9.6): what a program submits after it has logged in is sent by
 * the rules of `POST /v1/send`; everything else is incoming mail.
 */
export function createSubmission({ config }: Pick<Engine, "config">, deps: SubmissionDeps) {
  const { attachments: count, attachmentBytes: bytes } = config.limits
  const receiver = createReceiver({ ...deps, limits: { count, bytes } })
  return {
    name: "submission",
    actions: {},
    // The sandbox has a receiver of its own.
    ...(config.mode === "serve" && { smtp: { auth: "optional", receiver: async () => receiver } as const }),
  } satisfies Module
}
