import type { Texts } from "./texts.ts"

/** Spanish. */
export const es: Texts = {
  footer: "Recibe este correo por su suscripción a las novedades de {sender}.",
  unsubscribe: "Cancelar la suscripción",
  subscribe: "Suscribirse",
  subscribeAgain: "Suscribirse de nuevo",
  askUnsubscribe: "¿Desea cancelar la suscripción?",
  askSubscribe: "¿Desea suscribirse?",
  unsubscribed: "Suscripción cancelada",
  subscribed: "Suscripción activa",
  stop: "¿Desea dejar de recibir novedades de {sender} en {address}?",
  noMore: "Ya no recibirá novedades de {sender} en {address}.",
  willSend: "Recibirá novedades de {sender} en {address}. Puede cancelar la suscripción en cualquier momento.",
  stillComes: "Los mensajes necesarios, como recibos o avisos sobre su cuenta, pueden seguir llegando.",
  preferences: "Preferencias de correo",
  choice: "¿Desea recibir novedades de {sender} en {address}?",
  yes: "Sí, por favor",
  no: "No, gracias",
  save: "Guardar",
  saved: "Su elección se ha guardado.",
  chooseOne: "Elija una de las dos respuestas.",
  badLink: "Este enlace no funciona",
  badLinkHelp: "Puede que esté incompleto. Ábralo de nuevo desde el correo.",
  gone: "Esta dirección ya no está en la lista y no recibirá novedades.",
}
