const outlook = /^250 2\.0\.0 OK <([^<>\s]+\.prod\.outlook\.com)>/i
const ses = /^250 Ok ([0-9a-f]+(?:-[0-9a-f]+){2,})\s*$/i
const sesHost = /(?:^|\.)([a-z]{2}(?:-[a-z]+)+-\d+)\.(?:[\w-]+\.)*(?:amazonaws\.com|awsapps\.com)\.?$/i

/**
 * The Message-ID, without brackets, that the server gives the message in the place of ours, where its reply to the
 * content says so: Microsoft 365 names it, Amazon SES names the part before the @.
 */
export function givenMessageId(reply: string, host: string): string | null {
  const whole = outlook.exec(reply)?.[1]
  if (whole !== undefined) return whole
  const part = ses.exec(reply)?.[1]
  const region = part === undefined ? undefined : sesHost.exec(host)?.[1]?.toLowerCase()
  if (part === undefined || region === undefined) return null
  return `${part.toLowerCase()}@${region === "us-east-1" ? "email" : region}.amazonses.com`
}
