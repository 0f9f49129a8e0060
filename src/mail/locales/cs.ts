import type { Texts } from "./texts.ts"

/** Czech. */
export const cs: Texts = {
  footer: "Tento e-mail dostáváte, protože odebíráte novinky od {sender}.",
  unsubscribe: "Odhlásit se z odběru",
  subscribe: "Přihlásit se k odběru",
  subscribeAgain: "Znovu se přihlásit k odběru",
  askUnsubscribe: "Chcete se odhlásit z odběru?",
  askSubscribe: "Chcete se přihlásit k odběru?",
  unsubscribed: "Odběr je zrušen",
  subscribed: "Odběr je aktivní",
  stop: "Už nechcete na adresu {address} dostávat novinky od {sender}?",
  noMore: "Na adresu {address} už nebudete dostávat novinky od {sender}.",
  willSend: "Na adresu {address} budete dostávat novinky od {sender}. Z odběru se můžete kdykoli odhlásit.",
  stillComes: "Důležité zprávy, například účtenky nebo oznámení o vašem účtu, vám mohou chodit dál.",
  preferences: "Nastavení e-mailů",
  choice: "Chcete na adresu {address} dostávat novinky od {sender}?",
  yes: "Ano, chci",
  no: "Ne, děkuji",
  save: "Uložit",
  saved: "Vaše volba je uložena.",
  chooseOne: "Vyberte prosím jednu ze dvou odpovědí.",
  badLink: "Tento odkaz nefunguje",
  badLinkHelp: "Možná není úplný. Otevřete ho prosím znovu z e-mailu.",
  gone: "Tato adresa už není na seznamu a žádné novinky na ni nepřijdou.",
}
