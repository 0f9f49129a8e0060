import type { Texts } from "./texts.ts"

/** Czech. */
export const cs: Texts = {
  footer: "Tento e-mail dostáváte, protože odebíráte novinky od {sender}.",
  unsubscribe: "Odhlásit odběr",
  subscribe: "Přihlásit odběr",
  subscribeAgain: "Znovu přihlásit odběr",
  askUnsubscribe: "Chcete odhlásit odběr?",
  askSubscribe: "Chcete přihlásit odběr?",
  unsubscribed: "Odběr je odhlášen",
  subscribed: "Odběr je aktivní",
  noMore: "Na adresu {address} už nebudete dostávat novinky od {sender}.",
  willSend: "Na adresu {address} budete dostávat novinky od {sender}. Odběr můžete kdykoli odhlásit.",
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
