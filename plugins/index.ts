import type { TransportPlugin } from "../src/mail/transport.ts"
import { type Capture, createCapture } from "./capture/index.ts"
import smtp from "./smtp/index.ts"

/** The transport plugins that come with the program. `capture` is told what `capture:` is given. */
export const createPlugins = (capture: Capture): readonly TransportPlugin[] => [smtp, createCapture(capture)]
