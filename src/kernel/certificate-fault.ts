/** Whether the code of an error of TLS says that the other side's certificate is not accepted. */
export const isCertificateFault = (code: string): boolean => /CERT|SIGNED|ALTNAME|UNABLE_TO/.test(code)
