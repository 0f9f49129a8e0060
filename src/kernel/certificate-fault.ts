/** Whether the code of an error of TLS says that the other side's certificate is not accepted. */
export const isCertificateFault = (code: string): boolean => /CERT|SIGNED|ALTNAME|UNABLE_TO/.test(code)

const faults: readonly (readonly [RegExp, string])[] = [
  [/EXPIRED/, "it has expired"],
  [/NOT_YET/, "it is not valid yet"],
  [/ALTNAME/, "it is for another name"],
  [/DEPTH_ZERO_SELF_SIGNED/, "it is signed by itself"],
  [/UNABLE_TO|SELF_SIGNED/, "an intermediate certificate is missing, or its authority is not known here"],
]

/** What is wrong with a certificate, as the end of a sentence. */
export const certificateFaultOf = (code: string): string =>
  faults.find(([pattern]) => pattern.test(code))?.[1] ?? `it is not accepted (${code})`
