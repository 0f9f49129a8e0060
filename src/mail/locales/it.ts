import type { Texts } from "./texts.ts"

/** Italian. */
export const it: Texts = {
  footer: "Ricevi questa e-mail in base alla tua iscrizione alle novità di {sender}.",
  unsubscribe: "Annulla l’iscrizione",
  subscribe: "Iscriviti",
  subscribeAgain: "Iscriviti di nuovo",
  askUnsubscribe: "Vuoi annullare l’iscrizione?",
  askSubscribe: "Vuoi iscriverti?",
  unsubscribed: "Iscrizione annullata",
  subscribed: "Iscrizione attiva",
  stop: "Vuoi smettere di ricevere le novità di {sender} all’indirizzo {address}?",
  noMore: "Non riceverai più le novità di {sender} all’indirizzo {address}.",
  willSend:
    "Riceverai le novità di {sender} all’indirizzo {address}. Puoi annullare l’iscrizione in qualsiasi momento.",
  stillComes: "I messaggi necessari, come ricevute o avvisi sul tuo account, potranno ancora arrivare.",
  preferences: "Preferenze e-mail",
  choice: "Vuoi ricevere le novità di {sender} all’indirizzo {address}?",
  yes: "Sì, volentieri",
  no: "No, grazie",
  save: "Salva",
  saved: "La tua scelta è stata salvata.",
  chooseOne: "Scegli una delle due risposte.",
  badLink: "Questo link non funziona",
  badLinkHelp: "Forse è incompleto. Aprilo di nuovo dall’e-mail.",
  gone: "Questo indirizzo non è più nell’elenco e non riceverà novità.",
}
