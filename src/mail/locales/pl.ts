import type { Texts } from "./texts.ts"

/** Polish. */
export const pl: Texts = {
  footer: "Otrzymujesz tę wiadomość, ponieważ subskrybujesz nowości od {sender}.",
  unsubscribe: "Anuluj subskrypcję",
  subscribe: "Subskrybuj",
  subscribeAgain: "Subskrybuj ponownie",
  askUnsubscribe: "Czy chcesz anulować subskrypcję?",
  askSubscribe: "Czy chcesz rozpocząć subskrypcję?",
  unsubscribed: "Subskrypcja anulowana",
  subscribed: "Subskrypcja aktywna",
  stop: "Czy na adres {address} mają już nie przychodzić nowości od {sender}?",
  noMore: "Na adres {address} nie będą już przychodzić nowości od {sender}.",
  willSend: "Na adres {address} będą przychodzić nowości od {sender}. Subskrypcję możesz anulować w każdej chwili.",
  stillComes: "Ważne wiadomości, na przykład potwierdzenia płatności lub informacje o koncie, mogą nadal przychodzić.",
  preferences: "Ustawienia e-maili",
  choice: "Czy chcesz otrzymywać na adres {address} nowości od {sender}?",
  yes: "Tak, chcę",
  no: "Nie, dziękuję",
  save: "Zapisz",
  saved: "Twój wybór został zapisany.",
  chooseOne: "Wybierz jedną z dwóch odpowiedzi.",
  badLink: "Ten link nie działa",
  badLinkHelp: "Być może jest niepełny. Otwórz go ponownie z wiadomości.",
  gone: "Tego adresu nie ma już na liście i nie będą na niego przychodzić nowości.",
}
