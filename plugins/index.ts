import type { TransportPlugin } from "../src/mail/transport.ts"
import capture from "./capture/index.ts"
import smtp from "./smtp/index.ts"

/** The ways out that come with the program. */
export const plugins: readonly TransportPlugin[] = [smtp, capture]
