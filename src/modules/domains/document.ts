import { Type as t } from "@sinclair/typebox"
import { about, answers, id, named, oneOf, orNull, refuses, time } from "../../http/openapi/describe.ts"
import { domainStatuses } from "./table.ts"

const record = named(
  "DnsRecord",
  t.Object({
    purpose: oneOf(["DKIM", "SPF", "RETURN_PATH", "DMARC", "INBOUND"]),
    type: oneOf(["TXT", "MX", "CNAME"]),
    name: t.String(),
    value: t.String(),
    priority: t.Optional(about("Only of MX records.", t.Integer())),
    required: about("Whether the domain is verified only with it; the rest is advice.", t.Boolean()),
    rotation: t.Optional(
      about(
        "Only of DKIM keys that do not sign: `next` will once it is found, `old` did, and its record may be removed.",
        oneOf(["next", "old"]),
      ),
    ),
    status: oneOf(domainStatuses),
    found: about("What is published under the name instead.", t.Array(t.String())),
  }),
)

export const domainSchema = named(
  "Domain",
  t.Object({
    id: id(),
    domain: t.String(),
    verified: about("Whether mail may be sent from it.", t.Boolean()),
    status: about("FAILED after 72 hours without success; checks go on.", oneOf(domainStatuses)),
    dkimTokens: about("The selectors of its DKIM keys, ours and those of providers.", t.Array(t.String())),
    records: about("What is to be published in the DNS.", t.Array(record)),
    projectId: id(),
    inUse: about(
      "Whether a campaign that is scheduled or being sent, or a template in an enabled workflow, has it as its sender.",
      t.Boolean(),
    ),
    verifiedAt: about("When its required records were last found; null before they first were.", orNull(time())),
    lastCheckedAt: orNull(time()),
    createdAt: time(),
    updatedAt: time(),
  }),
)

const createdAt = "2026-01-31T09:15:00.000Z"
const example = {
  id: "0199c0de-0000-7000-8000-00000000000d",
  domain: "shop.example",
  verified: false,
  status: "PENDING",
  dkimTokens: ["ms1"],
  records: [
    {
      purpose: "DKIM",
      type: "TXT",
      name: "ms1._domainkey.shop.example",
      value: "v=DKIM1; k=rsa; p=MIIBIjANBg...",
      required: true,
      status: "PENDING",
      found: [],
    },
  ],
  projectId: "0199c0de-0000-7000-8000-000000000001",
  inUse: false,
  verifiedAt: null,
  lastCheckedAt: null,
  createdAt,
  updatedAt: createdAt,
} as const

const copy = () => ({
  ...example,
  dkimTokens: [...example.dkimTokens],
  records: example.records.map((one) => ({ ...one, found: [] })),
})

export const domainAnswer = { ...answers(200, domainSchema, copy()), ...refuses(404) }
export const domainCreated = { ...answers(201, domainSchema, copy()), ...refuses(403, 409) }
export const domainsAnswer = { ...answers(200, t.Array(domainSchema), [copy()]), ...refuses(403, 404) }
export const keyRotated = { ...answers(200, domainSchema, copy()), ...refuses(403, 404, 409) }
export const domainDeleted = { ...answers(204), ...refuses(403, 404, 409) }
