import type { Texts } from "./texts.ts"

/** Simplified Chinese. */
export const zhCN: Texts = {
  footer: "您收到此邮件，是因为您订阅了“{sender}”的最新消息。",
  unsubscribe: "退订",
  subscribe: "订阅",
  subscribeAgain: "重新订阅",
  askUnsubscribe: "要退订吗？",
  askSubscribe: "要订阅吗？",
  unsubscribed: "您已退订",
  subscribed: "您已订阅",
  stop: "{address} 不再接收“{sender}”的最新消息吗？",
  noMore: "{address} 将不再收到“{sender}”的最新消息。",
  willSend: "{address} 将会收到“{sender}”的最新消息。您可以随时退订。",
  stillComes: "收据、账户通知等必要信息仍可能发送给您。",
  preferences: "邮件偏好设置",
  choice: "您想在 {address} 收到“{sender}”的最新消息吗？",
  yes: "好，请发给我",
  no: "不用了，谢谢",
  save: "保存",
  saved: "您的选择已保存。",
  chooseOne: "请选择其中一项。",
  badLink: "此链接无法使用",
  badLinkHelp: "链接可能不完整，请从邮件中重新打开。",
  gone: "此邮箱地址已不在名单中，不会再收到最新消息。",
}
