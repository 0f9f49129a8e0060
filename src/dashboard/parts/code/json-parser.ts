import { parseTree } from "jsonc-parser"
import { setParser } from "./json-positions.ts"

setParser(parseTree)
