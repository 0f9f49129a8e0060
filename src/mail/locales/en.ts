import type { Texts } from "./texts.ts"

/** English. */
export const en: Texts = {
  footer: "You are receiving this email because you are subscribed to news from {sender}.",
  unsubscribe: "Unsubscribe",
  subscribe: "Subscribe",
  subscribeAgain: "Subscribe again",
  askUnsubscribe: "Do you want to unsubscribe?",
  askSubscribe: "Do you want to subscribe?",
  unsubscribed: "You are unsubscribed",
  subscribed: "You are subscribed",
  stop: "Do you no longer want to receive news from {sender} at {address}?",
  noMore: "You will no longer receive news from {sender} at {address}.",
  willSend: "You will receive news from {sender} at {address}. You can unsubscribe at any time.",
  stillComes: "Messages you need, such as receipts or notices about your account, may still reach you.",
  preferences: "Email preferences",
  choice: "Do you want to receive news from {sender} at {address}?",
  yes: "Yes, please",
  no: "No, thank you",
  save: "Save",
  saved: "Your choice has been saved.",
  chooseOne: "Please choose one of the two answers.",
  badLink: "This link does not work",
  badLinkHelp: "It may be incomplete. Please open it again from the email.",
  gone: "This address is no longer on the list and will receive no news.",
}
