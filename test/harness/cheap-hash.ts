/** The least cost that argon2 accepts, in KiB, so that hundreds of sign-ups are cheap. */
export const cheapHash = { memoryCost: 8, timeCost: 1 } as const
