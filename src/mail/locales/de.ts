import type { Texts } from "./texts.ts"

/** German. */
export const de: Texts = {
  footer: "Sie erhalten diese E-Mail, weil Sie Neuigkeiten von {sender} abonniert haben.",
  unsubscribe: "Abbestellen",
  subscribe: "Abonnieren",
  subscribeAgain: "Wieder abonnieren",
  askUnsubscribe: "Möchten Sie die Neuigkeiten abbestellen?",
  askSubscribe: "Möchten Sie die Neuigkeiten abonnieren?",
  unsubscribed: "Sie haben die Neuigkeiten abbestellt",
  subscribed: "Sie haben die Neuigkeiten abonniert",
  stop: "Möchten Sie unter {address} keine Neuigkeiten von {sender} mehr erhalten?",
  noMore: "Sie erhalten unter {address} keine Neuigkeiten von {sender} mehr.",
  willSend: "Sie erhalten unter {address} Neuigkeiten von {sender}. Sie können sie jederzeit wieder abbestellen.",
  stillComes: "Wichtige Nachrichten, etwa Belege oder Hinweise zu Ihrem Konto, können Sie weiterhin erreichen.",
  preferences: "E-Mail-Einstellungen",
  choice: "Möchten Sie unter {address} Neuigkeiten von {sender} erhalten?",
  yes: "Ja, gern",
  no: "Nein, danke",
  save: "Speichern",
  saved: "Ihre Auswahl ist gespeichert.",
  chooseOne: "Bitte wählen Sie eine der beiden Antworten.",
  badLink: "Dieser Link funktioniert nicht",
  badLinkHelp: "Vielleicht ist er unvollständig. Bitte öffnen Sie ihn noch einmal aus der E-Mail.",
  gone: "Diese Adresse steht nicht mehr auf der Liste und erhält keine Neuigkeiten.",
}
