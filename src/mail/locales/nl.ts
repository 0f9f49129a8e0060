import type { Texts } from "./texts.ts"

/** Dutch. */
export const nl: Texts = {
  footer: "Je ontvangt deze e-mail omdat je bent ingeschreven voor nieuws van {sender}.",
  unsubscribe: "Uitschrijven",
  subscribe: "Inschrijven",
  subscribeAgain: "Opnieuw inschrijven",
  askUnsubscribe: "Wil je je uitschrijven?",
  askSubscribe: "Wil je je inschrijven?",
  unsubscribed: "Je bent uitgeschreven",
  subscribed: "Je bent ingeschreven",
  stop: "Wil je op {address} geen nieuws meer ontvangen van {sender}?",
  noMore: "Je ontvangt op {address} geen nieuws meer van {sender}.",
  willSend: "Je ontvangt op {address} nieuws van {sender}. Je kunt je altijd weer uitschrijven.",
  stillComes: "Belangrijke berichten, zoals bonnen of meldingen over je account, kunnen nog wel komen.",
  preferences: "E-mailvoorkeuren",
  choice: "Wil je op {address} nieuws van {sender} ontvangen?",
  yes: "Ja, graag",
  no: "Nee, bedankt",
  save: "Opslaan",
  saved: "Je keuze is opgeslagen.",
  chooseOne: "Kies een van de twee antwoorden.",
  badLink: "Deze link werkt niet",
  badLinkHelp: "Misschien is hij niet compleet. Open hem opnieuw vanuit de e-mail.",
  gone: "Dit adres staat niet meer op de lijst en ontvangt geen nieuws.",
}
