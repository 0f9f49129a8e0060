import { scenarios } from "../harness/scenarios.ts"

const many = (count: number) => Array.from({ length: count }, (_, at) => `user${at}@example.com`)
const refused = { status: 422, code: "VALIDATION_ERROR" }

scenarios(
  "POST /contacts/lookup (contract A5.6)",
  [
    {
      name: "answers with the strings as given, in order",
      body: {
        emails: ["nobody@example.com", "BO@example.com", " ada@Example.com ", "nobody@example.com", "ada@example.com"],
      },
      status: 200,
      answer: {
        found: ["BO@example.com", " ada@Example.com ", "ada@example.com"],
        notFound: ["nobody@example.com", "nobody@example.com"],
      },
    },
    {
      name: "does not find what is no address",
      body: { emails: ["", "ada", "Ada <ada@example.com>", "ada@example.com\u0000", "ada@example.com"] },
      status: 200,
      answer: { found: ["ada@example.com"], notFound: ["", "ada", "Ada <ada@example.com>", "ada@example.com\u0000"] },
    },
    {
      name: "knows non-ASCII domains by their xn-- form (contract A1.2.6)",
      body: { emails: ["x@Bücher.example"] },
      status: 200,
      answer: { found: ["x@Bücher.example"], notFound: [] },
    },
    {
      name: "does not find contacts of other projects",
      body: { emails: ["elsewhere@example.com"] },
      status: 200,
      answer: { found: [], notFound: ["elsewhere@example.com"] },
    },
    {
      name: "takes 500",
      body: { emails: [...many(499), "ada@example.com"] },
      status: 200,
      answer: { found: ["ada@example.com"], notFound: many(499) },
    },
    { name: "takes no more", body: { emails: many(501) }, ...refused, fields: { emails: "too_big" } },
    { name: "takes no fewer than one", body: { emails: [] }, ...refused, fields: { emails: "too_small" } },
    { name: "needs emails", body: {}, ...refused, fields: { emails: "required" } },
    { name: "does not take null for emails", body: { emails: null }, ...refused, fields: { emails: "required" } },
    { name: "takes a list", body: { emails: "ada@example.com" }, ...refused, fields: { emails: "invalid_type" } },
    ...[5, null, {}, ["ada@example.com"]].map((one) => ({
      name: `takes no ${JSON.stringify(one)} for an address`,
      body: { emails: ["ada@example.com", one] },
      ...refused,
      fields: { emails: "invalid_type" },
    })),
  ],
  {
    seed: async (it) => {
      for (const email of ["ada@example.com", "bo@example.com", "x@xn--bcher-kva.example"])
        await it.api("POST /contacts", { body: { email } })
      const other = await it.app.projects.create("Other")
      await it.api("POST /contacts", { key: other.secret, body: { email: "elsewhere@example.com" } })
    },
  },
)
