import type { Config } from "./model.ts"

/** The region of Amazon SES: that of the first `ses://` transport, else of the settings; undefined without either. */
export function sesRegion({ mail, transports, ses }: Pick<Config, "mail" | "transports" | "ses">): string | undefined {
  const urls = [...mail.url, ...Object.values(transports).flatMap(({ url }) => url)]
  return urls.flatMap((url) => /^ses:\/\/([^/?#]+)/i.exec(url)?.[1] ?? [])[0] ?? ses.region ?? undefined
}
