import { Elysia } from "elysia"
import { answers, refuses } from "../../../http/openapi/describe.ts"
import type { Protect } from "../../../http/protect.ts"
import { iso } from "../../../kernel/clock.ts"
import { notFound } from "../../../kernel/errors.ts"
import { wholeExample, wholeSchema } from "../document.ts"
import { presentWhole } from "../present.ts"
import { graphIn } from "../whole/wire.ts"
import { workflowId } from "../wire.ts"
import type { DraftActions } from "./actions.ts"
import {
  draftSchema,
  savedDraftExample,
  savedDraftSchema,
  shownDraftExample,
  versionsExample,
  versionsSchema,
} from "./document.ts"
import { movesIn, newDraftBody, presentDraft, publishBody, restoreBody } from "./wire.ts"

function versionIn(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw notFound("Version", text)
  return Number(text)
}

export const draftRoutes = (drafts: DraftActions, protect: Protect) =>
  new Elysia({ prefix: "/workflows/:id", detail: { tags: ["Workflows"] } })
    .use(protect({ accept: "member" }))
    .put(
      "/draft",
      async ({ project, params, body }) => {
        const read = { version: body.version ?? undefined, basedOn: body.basedOn ?? undefined }
        const { ids, ...saved } = await drafts.save(project.id, workflowId(params), graphIn(body), read)
        return { ...presentDraft(saved), ids: Object.fromEntries(ids) }
      },
      {
        body: newDraftBody,
        detail: {
          operationId: "saveWorkflowDraft",
          summary: "Keep a changed graph beside the live one",
          description: "It may have faults, which are answered; what is no graph at all is refused.",
          responses: { ...answers(200, savedDraftSchema, savedDraftExample), ...refuses(409) },
        },
      },
    )
    .get(
      "/draft",
      async ({ project, params }) => {
        const { impact, ...shown } = await drafts.get(project.id, workflowId(params))
        return { ...presentDraft(shown), impact }
      },
      {
        detail: {
          operationId: "getWorkflowDraft",
          summary: "Get the draft of a workflow, and what publishing it would do",
          responses: answers(200, draftSchema, shownDraftExample),
        },
      },
    )
    .post(
      "/draft/discard",
      async ({ project, params, set }) => {
        await drafts.discard(project.id, workflowId(params))
        set.status = 204
      },
      {
        detail: {
          operationId: "discardWorkflowDraft",
          summary: "Discard the draft of a workflow",
          responses: answers(204),
        },
      },
    )
    .post(
      "/publish",
      async ({ project, params, body }) =>
        presentWhole(await drafts.publish(project.id, workflowId(params), body.version, movesIn(body.moves))),
      {
        body: publishBody,
        detail: {
          operationId: "publishWorkflowDraft",
          summary: "Make the draft the live graph",
          description:
            "Also while contacts are in the workflow: those on a step that goes follow `moves`, else its plain exit, else their way ends; a changed DELAY counts from its start; everybody else goes on.",
          responses: { ...answers(200, wholeSchema, wholeExample), ...refuses(409) },
        },
      },
    )
    .get(
      "/versions",
      async ({ project, params }) => {
        const { live, versions } = await drafts.versions(project.id, workflowId(params))
        return versions.map(({ version, steps, createdAt }) => ({
          version,
          steps,
          live: version === live,
          createdAt: iso(createdAt),
        }))
      },
      {
        detail: {
          operationId: "listWorkflowVersions",
          summary: "List the graphs that were published and replaced",
          description: "The last 20, the newest first.",
          responses: answers(200, versionsSchema, versionsExample),
        },
      },
    )
    .post(
      "/versions/:version/restore",
      async ({ project, params, body }) => {
        const read = { version: body.version ?? undefined }
        const version = versionIn(params.version)
        const { ids, ...saved } = await drafts.restore(project.id, workflowId(params), version, read)
        return { ...presentDraft(saved), ids: Object.fromEntries(ids) }
      },
      {
        body: restoreBody,
        detail: {
          operationId: "restoreWorkflowVersion",
          summary: "Make an earlier graph the draft",
          description: "It replaces a draft whose `version` is sent.",
          responses: { ...answers(200, savedDraftSchema, savedDraftExample), ...refuses(409) },
        },
      },
    )
