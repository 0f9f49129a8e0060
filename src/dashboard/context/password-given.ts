/** How long the server accepts the confirmation (contract B8.2.12), in ms. */
export const passwordHoldsMs = 10 * 60_000

let until = 0

/** To be called when the password was just given in this tab, by signing in or when asked for it. */
export function notePassword(): void {
  until = Date.now() + passwordHoldsMs
}

/** Whether the password was given recently, so that it need not be asked for again. */
export const isPasswordFresh = (): boolean => Date.now() < until
