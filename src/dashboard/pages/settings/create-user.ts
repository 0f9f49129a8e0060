/** The command that makes an account: an address may have what a shell takes for something else, as `o'brien@acme.test` has. */
export const createUserCommand = (email: string): string =>
  `mailstead user create ${/^[\w.+@-]+$/.test(email) ? email : `'${email.replaceAll("'", `'\\''`)}'`}`
