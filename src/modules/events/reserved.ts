const reserved = /^(?:email\.|contact\.subscribed$|contact\.unsubscribed$|segment\..+\.(?:entry|exit)$)/s

/** Names that only the service itself records (contract A4.1.1). Case-sensitive. */
export const isReservedName = (name: string): boolean => reserved.test(name)
