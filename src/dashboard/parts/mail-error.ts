/** Texts for the server's own error codes; replies of other servers are shown unchanged. */
const sentences: ReadonlyMap<string, string> = new Map([
  ["unsubscribed", "Not sent: the contact is unsubscribed."],
  ["campaign_cancelled", "Not sent: the campaign was cancelled."],
  ["project_disabled", "Not sent: the project is disabled."],
  ["outcome_unknown", "Sending it was interrupted, so nobody knows whether it arrived. It is not sent again."],
])

/** The `error` of a mail in words. */
export const formatMailError = (error: string): string => sentences.get(error) ?? error
