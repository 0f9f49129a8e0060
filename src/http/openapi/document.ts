import { toOpenAPISchema } from "@elysiajs/openapi/openapi"
import type { AnyElysia } from "elysia"
import { buildInfo } from "../../kernel/build-info.ts"
import { isObject, type JsonObject } from "../../kernel/json.ts"
import { components } from "./components.ts"
import { type GeneratedOperation, readOperation } from "./operation.ts"
import { introduction, tagNotes } from "./prose.ts"
import { createSchemas, type Schemas } from "./schemas.ts"

const version = "3.1.0"

/**
 * The OpenAPI document of all routes of an app that are not hidden (contract A8.4). The generator reads routes and
 * their schemas; credentials, refusals and parameters other than those of the path are added here.
 */
export function openApiDocument(app: AnyElysia, baseUrl: string): JsonObject {
  const schemas = createSchemas()
  const paths = pathsOf(app, schemas)
  return {
    openapi: version,
    info: { title: "Mailstead API", version: buildInfo.version, description: introduction },
    servers: [{ url: baseUrl }],
    tags: tagsOf(paths),
    paths,
    components: components(schemas),
  }
}

type Paths = Record<string, JsonObject>

const methods = ["get", "post", "put", "patch", "delete"]

/** In alphabetical order: a list comes before its items. */
function pathsOf(app: AnyElysia, schemas: Schemas): Paths {
  const generated = toOpenAPISchema(app, { staticFile: false }, undefined, undefined, version).paths
  const routes = routesOf(app)
  const paths: Paths = {}
  for (const given of Object.keys(generated).sort()) {
    const item = generated[given] as Record<string, unknown>
    const path = withoutSlash(given)
    for (const method of methods) {
      const operation = item[method]
      if (!isObject(operation)) continue
      const read = readOperation({ method, path, operation, ...routes.get(`${method} ${given}`) }, schemas)
      paths[path] = { ...paths[path], [method]: read }
    }
  }
  return paths
}

/**
 * What the generator omits: declared parameters of a route whose path has parameters, and bodies that our own parser
 * reads.
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
function tagsOf(paths: Paths): JsonObject[] {
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
