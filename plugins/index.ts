import type { TransportPlugin } from "../src/mail/transport.ts"
import { type Capture, createCapture } from "./capture/index.ts"
import postmark from "./postmark/index.ts"
import ses from "./ses/index.ts"
import smtp from "./smtp/index.ts"

/** The built-in transport plugins. `capture` receives the messages of `capture:`. */
export const createPlugins = (capture: Capture): readonly TransportPlugin[] => [
  smtp,
  ses,
  postmark,
  createCapture(capture),
]

export { setUpSes } from "./ses/setup.ts"
