import { type Static, Type as t } from "@sinclair/typebox"
import { about, id, named, oneOf, orNull, query, time } from "../../http/openapi/describe.ts"
import { sortKeys } from "./store.ts"
import { mailTypes } from "./table.ts"

const address = () => t.String({ format: "email" })

/** Contract A6. */
export const templateSchema = named(
  "Template",
  t.Object({
    id: id(),
    name: t.String(),
    description: orNull(t.String()),
    subject: t.String(),
    body: about("HTML with template tags.", t.String()),
    text: about("The text part; null when it is made from the HTML.", orNull(t.String())),
    from: address(),
    fromName: orNull(t.String()),
    replyTo: orNull(address()),
    type: about(
      "`MARKETING` goes to subscribed contacts alone and carries a footer; `HEADLESS` carries none.",
      oneOf(mailTypes),
    ),
    projectId: id(),
    createdAt: time(),
    updatedAt: time(),
  }),
)

export const newTemplateExample = {
  name: "Welcome",
  subject: "Welcome, {{name ?? friend}}",
  body: "<p>Good to have you, {{name ?? friend}}.</p>",
  from: "hi@shop.test",
  fromName: "Shop",
  type: "TRANSACTIONAL" as const,
}

export const templateExample: Static<typeof templateSchema> = {
  id: "0199c0de-0000-7000-8000-00000000000c",
  description: null,
  text: null,
  replyTo: null,
  ...newTemplateExample,
  projectId: "0199c0de-0000-7000-8000-000000000001",
  createdAt: "2026-01-31T09:15:00.000Z",
  updatedAt: "2026-01-31T09:15:00.000Z",
}

/** The parameters of `GET /templates` in addition to those of its page. */
export const templateFilters = query({
  type: oneOf(mailTypes),
  search: about("Text in name, subject or description, in any case.", t.String()),
  sort: about("`createdAt` when left out.", oneOf(sortKeys)),
  dir: about("`desc` when left out.", oneOf(["desc", "asc"])),
})

const stepUse = t.Object({ workflowId: id(), workflowName: t.String(), stepId: id(), stepName: t.String() })

export const usageSchema = named(
  "TemplateUsage",
  t.Object({
    campaigns: about(
      "Always empty: a campaign holds its own content.",
      t.Array(t.Object({ id: id(), name: t.String() })),
    ),
    workflowSteps: about("While there are any, the template cannot be deleted.", t.Array(stepUse)),
    emailsSent: about("Its messages that reached `SENT`.", t.Integer()),
  }),
)

export const usageExample: Static<typeof usageSchema> = { campaigns: [], workflowSteps: [], emailsSent: 12 }

const paths = (description: string) => about(description, t.Array(t.String()))

export const previewSchema = named(
  "TemplatePreview",
  t.Object({
    subject: t.String(),
    html: about("The HTML of a message. Its links to leave or come back lead nowhere.", t.String()),
    text: about("The text of a message: its own, or made from the HTML.", t.String()),
    variables: t.Object({
      used: paths("What the content refers to, as written in a tag, in the order of first use."),
      missing: paths("Those of them that have no value here."),
    }),
  }),
)

export const previewExample: Static<typeof previewSchema> = {
  subject: "Welcome, Ada",
  html: '<!DOCTYPE html>\n<html>\n<head><meta charset="utf-8"></head>\n<body>\n<p>Your plan is free.</p>\n</body>\n</html>\n',
  text: "Your plan is free.",
  variables: { used: ["name", "plan"], missing: ["plan"] },
}
