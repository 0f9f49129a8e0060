/** The command that creates an account, with the address quoted for a shell, as `o'brien@acme.test` needs. */
export const createUserCommand = (email: string): string =>
  `mailstead user create ${/^[\w.+@-]+$/.test(email) ? email : `'${email.replaceAll("'", `'\\''`)}'`}`
