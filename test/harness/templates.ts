import { expect } from "bun:test"
import { templateTable } from "../../src/modules/templates/index.ts"
import type { TestApp } from "./app.ts"
import type { Scenario } from "./scenarios.ts"

/** The required fields of a template. */
export const templateFields = {
  name: "Welcome",
  subject: "Hi {{name}}",
  body: "<p>Hi {{name}}</p>",
  from: "hi@acme.test",
}

/** Creates a template by its endpoint and resolves with it. */
export async function createTemplate(it: TestApp, fields: object = {}) {
  const { status, body } = await it.api("POST /templates", { body: { ...templateFields, ...fields } })
  expect(status).toBe(201)
  return body
}

export const templatesIn = ({ app }: TestApp): Promise<number> => app.store.read.$count(templateTable)

/** A row with checks of the state `after` the request. */
export interface TemplateRow extends Omit<Scenario, "afterwards"> {
  readonly after?: NonNullable<Scenario["afterwards"]>
  /** The number of new templates; 1 with status 201, otherwise 0. */
  readonly templates?: number
}

/** Rows that also count templates. */
export const countingTemplates = (rows: readonly TemplateRow[]): Scenario[] =>
  rows.map(({ after, templates, ...row }) => {
    let before = 0
    return {
      ...row,
      async given(it) {
        await row.given?.(it)
        before = await templatesIn(it)
      },
      async afterwards(it, answer) {
        expect((await templatesIn(it)) - before).toBe(templates ?? (row.status === 201 ? 1 : 0))
        await after?.(it, answer)
      },
    }
  })
