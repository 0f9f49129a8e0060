import { toOpenAPISchema } from "@elysiajs/openapi/openapi"
import type { AnyElysia } from "elysia"
import { buildInfo } from "../../kernel/build-info.ts"
import { isObject, type JsonObject } from "../../kernel/json.ts"
import { components } from "./components.ts"
import { type GeneratedOperation, readOperation } from "./operation.ts"
import { introduction, tagNotes } from "./prose.ts"
import { createSchemas } from "./schemas.ts"

const version = "3.1.0"

/**
 * The OpenAPI document of all routes of an app that are not hidden (contract A8.4). The generator reads routes and their
 * schemas; what it cannot know (credentials, refusals, parameters beside those of the path) is added here.
 */
export function openApiDocument(app: AnyElysia, baseUrl: string): JsonObject {
  const schemas = createSchemas()
  const generated = toOpenAPISchema(app, { staticFile: false }, undefined, undefined, version)
  const routes = routesOf(app)
  const paths: Record<string, JsonObject> = {}
  for (const [path, item] of Object.entries(generated.paths)) {
    for (const [method, operation] of Object.entries(item ?? {})) {
      if (!isObject(operation)) continue
      const name = withoutSlash(path)
      const read = readOperation({ method, path: name, operation, ...routes.get(`${method} ${path}`) }, schemas)
      paths[name] = { ...paths[name], [method]: read }
    }
  }
  return {
    openapi: version,
    info: { title: "Posthorn API", version: buildInfo.version, description: introduction },
    servers: [{ url: baseUrl }],
    tags: tagsOf(paths),
    paths,
    components: components(schemas),
  }
}

/**
 * What the generator drops: the parameters a route speaks of where its path has some, and the body where a parser of our
 * own reads it.
 */
function routesOf(app: AnyElysia): Map<string, Pick<GeneratedOperation, "parameters" | "body">> {
  return new Map(
    app.routes.map(({ method, path, hooks }) => {
      const { detail, body } = (hooks ?? {}) as { detail?: { parameters?: readonly object[] }; body?: unknown }
      const key = `${method.toLowerCase()} ${path.replace(/:([^/]+)/g, "{$1}")}`
      return [key, { parameters: detail?.parameters ?? [], ...(isObject(body) ? { body } : {}) }]
    }),
  )
}

/** A trailing slash is ignored (contract A1.2.5), so it is not shown. */
const withoutSlash = (path: string): string => (path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path)

/** The tags in use, in our order. */
function tagsOf(paths: Readonly<Record<string, JsonObject>>): JsonObject[] {
  const operations = Object.values(paths).flatMap((item) => Object.values(item))
  const used = new Set(
    operations.flatMap((one) => (isObject(one) && Array.isArray(one.tags) ? (one.tags as string[]) : [])),
  )
  const known = Object.keys(tagNotes).filter((name) => used.has(name))
  const others = [...used].filter((name) => !(name in tagNotes))
  return [...known, ...others].map((name) => {
    const description = tagNotes[name]
    return description === undefined ? { name } : { name, description }
  })
}
