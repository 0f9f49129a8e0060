import type { Texts } from "./texts.ts"

/** Swedish. */
export const sv: Texts = {
  footer: "Du får det här mejlet eftersom du prenumererar på nyheter från {sender}.",
  unsubscribe: "Avsluta prenumerationen",
  subscribe: "Prenumerera",
  subscribeAgain: "Prenumerera igen",
  askUnsubscribe: "Vill du avsluta prenumerationen?",
  askSubscribe: "Vill du prenumerera?",
  unsubscribed: "Prenumerationen är avslutad",
  subscribed: "Du prenumererar",
  stop: "Vill du inte längre få nyheter från {sender} till {address}?",
  noMore: "Du får inte längre nyheter från {sender} till {address}.",
  willSend: "Du får nyheter från {sender} till {address}. Du kan avsluta prenumerationen när som helst.",
  stillComes: "Viktiga meddelanden, till exempel kvitton eller information om ditt konto, kan fortfarande komma.",
  preferences: "E-postinställningar",
  choice: "Vill du få nyheter från {sender} till {address}?",
  yes: "Ja, gärna",
  no: "Nej, tack",
  save: "Spara",
  saved: "Ditt val är sparat.",
  chooseOne: "Välj ett av de två svaren.",
  badLink: "Länken fungerar inte",
  badLinkHelp: "Den kan vara ofullständig. Öppna den igen från mejlet.",
  gone: "Adressen finns inte längre på listan och får inga nyheter.",
}
