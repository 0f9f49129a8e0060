import { Elysia, t } from "elysia"
import { about, answers, bySecretKey, named, wrapped } from "../../http/openapi/describe.ts"
import type { Protect } from "../../http/protect.ts"
import { shape, text } from "../../http/schema.ts"
import { parseAddress } from "../../kernel/email-address.ts"
import type { Verification } from "./actions.ts"

const verifyBody = named("VerifyRequest", shape({ email: text({ form: "address" }) }), { email: "ada@gmial.com" })

const verification = named(
  "EmailVerification",
  t.Object({
    email: about("The address as it is stored: trimmed and in lower case.", t.String()),
    valid: about("Whether mail can get there: the domain exists and has mail servers.", t.Boolean()),
    isDisposable: t.Boolean(),
    isAlias: about("Whether it forwards to another mailbox, as Apple's private relay does.", t.Boolean()),
    isTypo: about("One letter away from a popular provider; `suggestedEmail` has what was meant.", t.Boolean()),
    isPlusAddressed: t.Boolean(),
    isPersonalEmail: about("Whether it is at a provider of personal mailboxes.", t.Boolean()),
    domainExists: t.Boolean(),
    hasWebsite: about("Whether the domain has an address record.", t.Boolean()),
    hasMxRecords: t.Boolean(),
    suggestedEmail: t.Optional(about("Only for a typo.", t.String())),
    reasons: about("One sentence at least, for people.", t.Array(t.String())),
  }),
)

const verifyAnswer = answers(200, wrapped(verification), {
  success: true,
  data: {
    email: "ada@gmial.com",
    valid: false,
    isDisposable: false,
    isAlias: false,
    isTypo: true,
    isPlusAddressed: false,
    isPersonalEmail: false,
    domainExists: true,
    hasWebsite: true,
    hasMxRecords: false,
    suggestedEmail: "ada@gmail.com",
    reasons: [
      "The domain gmial.com has no mail servers.",
      "It looks like a typing error: ada@gmail.com was probably meant.",
    ],
  },
})

export const verificationRoutes = (verification: Verification, protect: Protect) =>
  new Elysia()
    .use(protect({ accept: "secret" }))
    .post(
      "/v1/verify",
      async ({ body }) => ({ success: true, data: await verification.verify(parseAddress(body.email) ?? "") }),
      {
        body: verifyBody,
        detail: {
          operationId: "verifyEmail",
          tags: ["Public API"],
          summary: "Check an email address",
          description:
            "Looks at the address and asks DNS about its domain; nothing is sent or stored. When DNS gives no answer in " +
            "5 seconds, `valid` and what depends on DNS are false and `reasons` says so.",
          security: bySecretKey,
          responses: verifyAnswer,
        },
      },
    )
