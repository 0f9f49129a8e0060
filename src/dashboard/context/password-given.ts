/** As long as the server takes it for given (contract B8.2.12), in ms. */
export const passwordHoldsMs = 10 * 60_000

let until = 0

/** The password was given in this tab just now: by signing in, or when it was asked for. */
export function notePassword(): void {
  until = Date.now() + passwordHoldsMs
}

/** Whether the password was given lately, so that it need not be asked for again. */
export const isPasswordFresh = (): boolean => Date.now() < until
