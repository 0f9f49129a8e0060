import { useQuery } from "@tanstack/react-query"
import type { Campaign } from "../../../api/campaigns.ts"
import { previewTemplate } from "../../../api/templates.ts"
import { useSession } from "../../../context/session.ts"
import { fieldsOfNobody } from "../../../parts/content/variable-paths.ts"
import { useFields } from "../../../queries/contacts.ts"

/** The custom fields in the content of a campaign that no contact has; empty until that is known. */
export function useFieldsOfNobody({ subject, body, text }: Campaign): readonly string[] {
  const projectId = useSession().project.id
  const fields = useFields().data
  const { data: used } = useQuery({
    queryKey: ["used-variables", projectId, subject, body, text],
    queryFn: async ({ signal }) => (await previewTemplate(projectId, { subject, body, text }, signal)).variables.used,
    retry: false,
    gcTime: 10_000,
  })
  return used && fields ? fieldsOfNobody(used, fields) : []
}
