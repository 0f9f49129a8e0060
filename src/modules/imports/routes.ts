import { Elysia } from "elysia"
import { fileIn } from "../../http/form.ts"
import { answers, fileBody } from "../../http/openapi/describe.ts"
import { pathId } from "../../http/path-id.ts"
import type { Protect } from "../../http/protect.ts"
import { presentQueued, queuedAnswer } from "../../jobs/tracked/wire.ts"
import { malformed } from "../../kernel/errors.ts"
import type { Imports } from "./actions.ts"
import { importExample, importSchema, presentImport } from "./wire.ts"

/** Contract A5.11. */
const limit = { fileBytes: 5 * 1_048_576 }
const part = "file"

const message = "The import is queued. Ask for its progress by the job id."

export const importRoutes = (imports: Imports, protect: Protect) =>
  new Elysia({ prefix: "/contacts", detail: { tags: ["Contacts"] } })
    .use(uploadRoute(imports, protect))
    .use(protect({ accept: "member" }))
    .get(
      "/import/:jobId",
      async ({ project, params }) => presentImport(await imports.get(project.id, pathId("Import", params.jobId))),
      {
        detail: {
          operationId: "getContactImport",
          summary: "Get the progress of an import",
          description: "Jobs can be read for 30 days.",
          responses: answers(200, importSchema, importExample),
        },
      },
    )

const uploadRoute = (imports: Imports, protect: Protect) =>
  new Elysia().use(protect({ accept: "member", form: limit })).post(
    "/import",
    async ({ project, body, set }) => {
      const jobId = await imports.start(project.id, await csvIn(body))
      set.status = 202
      return presentQueued(jobId, message)
    },
    {
      detail: {
        operationId: "importContacts",
        summary: "Import contacts from a CSV file",
        description: importRules,
        requestBody: fileBody(part, "Named `*.csv`."),
        responses: queuedAnswer(message),
      },
    },
  )

async function csvIn(form: unknown): Promise<Uint8Array> {
  const file = fileIn(form, part, limit)
  if (file === undefined) throw malformed(`Send a CSV file as the part "${part}" of a multipart form.`)
  if (!file.name?.toLowerCase().endsWith(".csv")) throw malformed("The name of the file must end in .csv.")
  return new Uint8Array(await file.arrayBuffer())
}

const importRules = `A CSV file in UTF-8, at most 5 MB, whose header names an \`email\` column; every other column becomes a custom field.
New contacts are subscribed. Known ones keep their state and take the cells that are not empty, so a file can be imported again.

\`true\`, \`yes\`, \`false\` and \`no\` become booleans and plain numbers become numbers; leading zeros, a plus sign and
scientific notation stay text. The columns \`id\`, \`subscribed\`, \`createdAt\` and \`updatedAt\` are left out.`
