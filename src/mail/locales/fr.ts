import type { Texts } from "./texts.ts"

/** French. */
export const fr: Texts = {
  footer: "Cet e-mail vous est envoyé dans le cadre de votre abonnement aux actualités de {sender}.",
  unsubscribe: "Se désabonner",
  subscribe: "S’abonner",
  subscribeAgain: "S’abonner de nouveau",
  askUnsubscribe: "Souhaitez-vous vous désabonner\u00a0?",
  askSubscribe: "Souhaitez-vous vous abonner\u00a0?",
  unsubscribed: "Votre désabonnement est pris en compte",
  subscribed: "Votre abonnement est actif",
  stop: "Souhaitez-vous ne plus recevoir les actualités de {sender} à l’adresse {address}\u00a0?",
  noMore: "Vous ne recevrez plus les actualités de {sender} à l’adresse {address}.",
  willSend:
    "Vous recevrez les actualités de {sender} à l’adresse {address}. Vous pouvez vous désabonner à tout moment.",
  stillComes:
    "Les messages indispensables, comme les reçus ou les avis concernant votre compte, peuvent toujours vous parvenir.",
  preferences: "Préférences d’e-mail",
  choice: "Souhaitez-vous recevoir les actualités de {sender} à l’adresse {address}\u00a0?",
  yes: "Oui, volontiers",
  no: "Non, merci",
  save: "Enregistrer",
  saved: "Votre choix est enregistré.",
  chooseOne: "Veuillez choisir l’une des deux réponses.",
  badLink: "Ce lien ne fonctionne pas",
  badLinkHelp: "Il est peut-être incomplet. Ouvrez-le de nouveau depuis l’e-mail.",
  gone: "Cette adresse ne figure plus sur la liste et ne recevra aucune actualité.",
}
