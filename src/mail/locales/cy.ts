import type { Texts } from "./texts.ts"

/** Welsh. */
export const cy: Texts = {
  footer: "Rydych yn derbyn yr e-bost hwn am eich bod wedi tanysgrifio i newyddion gan {sender}.",
  unsubscribe: "Dad-danysgrifio",
  subscribe: "Tanysgrifio",
  subscribeAgain: "Tanysgrifio eto",
  askUnsubscribe: "Ydych chi am ddad-danysgrifio?",
  askSubscribe: "Ydych chi am danysgrifio?",
  unsubscribed: "Rydych wedi dad-danysgrifio",
  subscribed: "Rydych wedi tanysgrifio",
  stop: "Ydych chi am roi’r gorau i dderbyn newyddion gan {sender} yn {address}?",
  noMore: "Ni fyddwch yn derbyn newyddion gan {sender} yn {address} mwyach.",
  willSend: "Byddwch yn derbyn newyddion gan {sender} yn {address}. Gallwch ddad-danysgrifio ar unrhyw adeg.",
  stillComes: "Gall negeseuon pwysig, fel derbynebau neu hysbysiadau am eich cyfrif, eich cyrraedd o hyd.",
  preferences: "Dewisiadau e-bost",
  choice: "Ydych chi am dderbyn newyddion gan {sender} yn {address}?",
  yes: "Ydw, os gwelwch yn dda",
  no: "Nac ydw, dim diolch",
  save: "Cadw",
  saved: "Mae eich dewis wedi’i gadw.",
  chooseOne: "Dewiswch un o’r ddau ateb.",
  badLink: "Nid yw’r ddolen hon yn gweithio",
  badLinkHelp: "Efallai nad yw’n gyflawn. Agorwch hi eto o’r e-bost.",
  gone: "Nid yw’r cyfeiriad hwn ar y rhestr mwyach ac ni fydd yn derbyn newyddion.",
}
