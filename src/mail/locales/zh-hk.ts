import type { Texts } from "./texts.ts"

/** Chinese as written in Hong Kong. */
export const zhHK: Texts = {
  footer: "您收到此電郵，是因為您已訂閱「{sender}」的最新消息。",
  unsubscribe: "取消訂閱",
  subscribe: "訂閱",
  subscribeAgain: "重新訂閱",
  askUnsubscribe: "要取消訂閱嗎？",
  askSubscribe: "要訂閱嗎？",
  unsubscribed: "您已取消訂閱",
  subscribed: "您已訂閱",
  stop: "{address} 不要再收到「{sender}」的最新消息嗎？",
  noMore: "{address} 將不再收到「{sender}」的最新消息。",
  willSend: "{address} 將會收到「{sender}」的最新消息。您可隨時取消訂閱。",
  stillComes: "收據、帳戶通知等必要訊息仍可能會發送給您。",
  preferences: "電郵設定",
  choice: "您想在 {address} 收到「{sender}」的最新消息嗎？",
  yes: "好，請發送給我",
  no: "不用了，謝謝",
  save: "儲存",
  saved: "已儲存您的選擇。",
  chooseOne: "請選擇其中一項。",
  badLink: "此連結無法使用",
  badLinkHelp: "連結可能不完整，請從電郵重新開啟。",
  gone: "此電郵地址已不在名單上，不會再收到最新消息。",
}
