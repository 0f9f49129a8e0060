import { Type as t } from "@sinclair/typebox"

export const done = t.Object({ success: t.Literal(true) })
export const doneExample = { success: true } as const
