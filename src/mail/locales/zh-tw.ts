import type { Texts } from "./texts.ts"

/** Chinese as written in Taiwan. */
export const zhTW: Texts = {
  footer: "您收到這封電子郵件，是因為您訂閱了「{sender}」的最新消息。",
  unsubscribe: "取消訂閱",
  subscribe: "訂閱",
  subscribeAgain: "重新訂閱",
  askUnsubscribe: "要取消訂閱嗎？",
  askSubscribe: "要訂閱嗎？",
  unsubscribed: "您已取消訂閱",
  subscribed: "您已訂閱",
  stop: "{address} 不要再收到「{sender}」的最新消息嗎？",
  noMore: "{address} 將不再收到「{sender}」的最新消息。",
  willSend: "{address} 將會收到「{sender}」的最新消息。您隨時可以取消訂閱。",
  stillComes: "收據、帳戶通知等必要訊息仍可能寄送給您。",
  preferences: "電子郵件偏好設定",
  choice: "您想在 {address} 收到「{sender}」的最新消息嗎？",
  yes: "好，請寄給我",
  no: "不用，謝謝",
  save: "儲存",
  saved: "您的選擇已儲存。",
  chooseOne: "請選擇其中一項。",
  badLink: "這個連結無法使用",
  badLinkHelp: "連結可能不完整，請從電子郵件中重新開啟。",
  gone: "這個電子郵件地址已不在名單上，不會再收到最新消息。",
}
