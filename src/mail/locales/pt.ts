import type { Texts } from "./texts.ts"

/** Portuguese. */
export const pt: Texts = {
  footer: "Este e-mail faz parte da sua inscrição nas novidades de {sender}.",
  unsubscribe: "Cancelar inscrição",
  subscribe: "Inscrever-se",
  subscribeAgain: "Inscrever-se novamente",
  askUnsubscribe: "Deseja cancelar a inscrição?",
  askSubscribe: "Deseja inscrever-se?",
  unsubscribed: "Inscrição cancelada",
  subscribed: "Inscrição ativa",
  stop: "Deseja que as novidades de {sender} deixem de ser enviadas para {address}?",
  noMore: "As novidades de {sender} deixarão de ser enviadas para {address}.",
  willSend:
    "As novidades de {sender} serão enviadas para {address}. A inscrição pode ser cancelada a qualquer momento.",
  stillComes: "Mensagens necessárias, como recibos ou avisos sobre a sua conta, ainda podem chegar.",
  preferences: "Preferências de e-mail",
  choice: "Deseja receber as novidades de {sender} em {address}?",
  yes: "Sim, quero receber",
  no: "Não quero receber",
  save: "Confirmar",
  saved: "A sua escolha está confirmada.",
  chooseOne: "Escolha uma das duas respostas.",
  badLink: "Este link não funciona",
  badLinkHelp: "Talvez esteja incompleto. Abra-o novamente a partir do e-mail.",
  gone: "Este endereço já não está na lista e não receberá novidades.",
}
