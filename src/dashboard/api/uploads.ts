import type { uploadSchema } from "../../modules/uploads/index.ts"
import { read } from "./http.ts"
import type { Wire } from "./types.ts"

/** Contract B7.3.1. */
type Upload = Wire<typeof uploadSchema>

export function uploadImage(projectId: string, file: File): Promise<Upload> {
  const body = new FormData()
  body.set("image", file)
  return read("/uploads/image", { projectId, method: "POST", body })
}
