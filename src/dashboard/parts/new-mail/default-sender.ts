import type { Config } from "../../api/instance.ts"

/** The sender of new mail: that of the item changed last, or in the sandbox an example; empty when there is none. */
export const defaultSender = (
  like: { readonly from: string } | undefined,
  { sandbox }: Pick<Config, "sandbox">,
): string => like?.from ?? (sandbox ? "hello@shop.test" : "")
