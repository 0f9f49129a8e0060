import type { Texts } from "./texts.ts"

/** Japanese. */
export const ja: Texts = {
  footer: "このメールは、{sender}からのお知らせを購読されている方にお送りしています。",
  unsubscribe: "配信を停止する",
  subscribe: "購読する",
  subscribeAgain: "もう一度購読する",
  askUnsubscribe: "配信を停止しますか？",
  askSubscribe: "お知らせを購読しますか？",
  unsubscribed: "配信を停止しました",
  subscribed: "購読中です",
  stop: "{sender}からのお知らせを {address} に届かないようにしますか？",
  noMore: "今後、{sender}からのお知らせは {address} に届きません。",
  willSend: "{sender}からのお知らせが {address} に届きます。いつでも配信を停止できます。",
  stillComes: "領収書やアカウントに関するご連絡など、必要なメールは引き続き届くことがあります。",
  preferences: "メール配信の設定",
  choice: "{sender}からのお知らせを {address} で受け取りますか？",
  yes: "受け取る",
  no: "受け取らない",
  save: "保存する",
  saved: "設定を保存しました。",
  chooseOne: "どちらかを選択してください。",
  badLink: "このリンクは使用できません",
  badLinkHelp: "リンクが途中で切れている可能性があります。メールからもう一度開いてください。",
  gone: "このアドレスは登録されていないため、お知らせは届きません。",
}
