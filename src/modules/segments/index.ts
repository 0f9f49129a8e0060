export type { Audience, AudienceBatch, Audiences, Recipient } from "./audience.ts"
export type {
  addedSchema,
  computedSchema,
  previewSchema,
  refreshedSchema,
  removedSchema,
  segmentSchema,
} from "./document.ts"
export { createSegments } from "./module.ts"
export { type Segment, segmentMemberTable, segmentTable } from "./table.ts"
export type { newMembersBody, newSegmentBody, segmentChangeBody } from "./wire.ts"
