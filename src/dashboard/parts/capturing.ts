import type { Config } from "../api/instance.ts"

/** Whether a server keeps all mail to itself because it has no transport; that of a sandbox is meant to. */
export const isCapturing = ({ sandbox, features }: Config): boolean => !sandbox && features.email.captured

export const capturing = "No mail leaves this server: it is captured until mail.url names a transport."
