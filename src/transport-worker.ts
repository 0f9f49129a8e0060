import smtp from "../plugins/smtp/index.ts"
import { hostTransport } from "./mail/transports/thread-host.ts"

/** The thread that composes, signs and hands over messages for `mail/transports/thread.ts`. */
declare const self: Worker

hostTransport(self, smtp)
