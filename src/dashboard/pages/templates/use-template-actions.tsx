import { notifications } from "@mantine/notifications"
import { useLocation } from "wouter"
import type { Template } from "../../api/templates.ts"
import { deleteTemplate, duplicateTemplate, getTemplateUsage, type TemplateUsage } from "../../api/templates.ts"
import { asNew, copyNotice } from "../../context/just-created.ts"
import { type Departure, useBeforeLeaving } from "../../context/leave-guard.ts"
import { useSession } from "../../context/session.ts"
import { focusRow } from "../../list/rows.ts"
import { cacheTemplate, dropTemplate, refetchTemplates } from "../../queries/templates.ts"
import { useChange } from "../../queries/use-change.ts"
import { useDeletion } from "../../queries/use-deletion.ts"

/** The actions on a whole template. `onGone` is called before it is removed from the lists. */
export function useTemplateActions(template: Pick<Template, "id" | "name">, onGone: () => void = () => {}) {
  const projectId = useSession().project.id
  const [, go] = useLocation()
  const beforeLeaving = useBeforeLeaving()

  const copying = useChange({
    send: (projectId, _leave: Departure) => duplicateTemplate(projectId, template.id),
    title: "Not duplicated",
    done(client, projectId, copy, leave) {
      cacheTemplate(client, projectId, copy)
      const isOpen = leave(() => go(`/templates/${copy.id}`, asNew))
      notifications.show({ message: copyNotice(copy, isOpen), autoClose: 3000 })
    },
  })
  const deletion = useDeletion({ send: deleteTemplate, done: dropTemplate, failed: refetchTemplates })
  return {
    /** Copies the stored template, and opens the copy. */
    duplicate: () => beforeLeaving((leave) => void copying.run(leave)),
    async remove() {
      const usage = await getTemplateUsage(projectId, template.id).catch(() => null)
      if (usage && usage.workflowSteps.length > 0) {
        const message = `${template.name} is used by ${formatWorkflows(usage)}, which must let go of it first.`
        notifications.show({ color: "red", title: "Not deleted", message, autoClose: 8000 })
        return
      }
      onGone()
      deletion(template.id, template.name, () => requestAnimationFrame(() => focusRow(`/templates/${template.id}`)))
    },
  }
}

export function formatWorkflows(usage: TemplateUsage | null): string {
  const names = new Set(usage?.workflowSteps.map(({ workflowName }) => workflowName))
  return `the ${names.size === 1 ? "workflow" : "workflows"} ${[...names].join(", ")}`
}
