import { type Static, Type as t } from "@sinclair/typebox"
import { about, id, named, oneOf, query } from "../../../http/openapi/describe.ts"
import { fieldTypes } from "../table.ts"

export const defaultValues = 100
export const maxValues = 200

const field = () => about("Custom fields begin with `data.`.", t.String())

export const catalogueSchema = named(
  "FieldCatalogue",
  t.Object({
    fields: t.Array(
      named(
        "Field",
        t.Object({
          field: field(),
          type: about("Fixed by the first value.", oneOf(fieldTypes)),
          isCustom: t.Boolean(),
          coverage: about("The share of contacts that have it.", t.Number({ minimum: 0, maximum: 1 })),
        }),
      ),
    ),
    count: t.Integer(),
  }),
)

export const catalogueExample: Static<typeof catalogueSchema> = {
  fields: [
    { field: "createdAt", type: "date", isCustom: false, coverage: 1 },
    { field: "data.plan", type: "string", isCustom: true, coverage: 0.8125 },
  ],
  count: 2,
}

export const valuesQuery = query({
  limit: about("How many values to return.", t.Integer({ minimum: 1, maximum: maxValues, default: defaultValues })),
})

export const valuesSchema = named(
  "FieldValues",
  t.Object({
    field: field(),
    values: about(
      "Numbers, texts and booleans that occur, ascending.",
      t.Array(t.Union([t.Number(), t.String(), t.Boolean()])),
    ),
    count: t.Integer(),
    limit: t.Integer(),
  }),
)

export const valuesExample: Static<typeof valuesSchema> = {
  field: "data.plan",
  values: ["free", "pro"],
  count: 2,
  limit: defaultValues,
}

const users = (description: string) => about(description, t.Array(t.Object({ id: id(), name: t.String() })))

export const usageSchema = named(
  "FieldUsage",
  t.Object({
    usedInSegments: users("Segments whose condition names it."),
    usedInCampaigns: users("Campaigns whose audience names it."),
    usedInWorkflows: users("Workflows with a condition on it, or a step that sets it."),
    contactCount: about("Contacts that have it.", t.Integer()),
    canDelete: about("Always: what refers to a deleted field matches nothing.", t.Literal(true)),
  }),
)

export const usageExample: Static<typeof usageSchema> = {
  usedInSegments: [{ id: "0199c0de-0000-7000-8000-00000000000d", name: "Customers" }],
  usedInCampaigns: [],
  usedInWorkflows: [],
  contactCount: 130,
  canDelete: true,
}

export const deletedSchema = named(
  "DeletedField",
  t.Object({ deletedFrom: about("Contacts that were changed.", t.Integer()) }),
)
