import { notifications } from "@mantine/notifications"
import { useQueryClient } from "@tanstack/react-query"
import { useLocation } from "wouter"
import { reasonOf } from "../../api/refusal.ts"
import type { Template } from "../../api/templates.ts"
import { deleteTemplate, duplicateTemplate, getTemplateUsage, type TemplateUsage } from "../../api/templates.ts"
import { asNew } from "../../context/just-created.ts"
import { useBeforeLeaving, useRelease } from "../../context/leave-guard.ts"
import { useSession } from "../../context/session.ts"
import { forgetTemplate, keepTemplate } from "../../queries/templates.ts"
import { confirm } from "../../ui/confirm.tsx"
import { count } from "../../ui/format.ts"

/** What can be done with a template as a whole. `onGone` is called once it is deleted, before it leaves the lists. */
export function useTemplateActions(template: Pick<Template, "id" | "name">, onGone: () => void = () => {}) {
  const { project } = useSession()
  const client = useQueryClient()
  const [, go] = useLocation()
  const beforeLeaving = useBeforeLeaving()
  const release = useRelease()

  const fail = (title: string) => (cause: unknown) => {
    notifications.show({ color: "red", title, message: reasonOf(cause) })
  }
  const goToCopy = async () => {
    const copy = await duplicateTemplate(project.id, template.id).catch(fail("Not duplicated"))
    if (!copy) return
    keepTemplate(client, project.id, copy)
    release()
    go(`/templates/${copy.id}`, asNew)
    notifications.show({ message: `This is the copy: ${copy.name}`, autoClose: 3000 })
  }
  return {
    /** Copies it as it is stored, and opens the copy. */
    duplicate: () => beforeLeaving(() => void goToCopy()),
    async remove() {
      const usage = await getTemplateUsage(project.id, template.id).catch(() => null)
      confirm({
        title: "Delete this template?",
        text: formatLoss(template.name, usage),
        confirm: "Delete",
        onConfirm: async () => {
          try {
            await deleteTemplate(project.id, template.id)
          } catch (cause) {
            return fail("Not deleted")(cause)
          }
          onGone()
          forgetTemplate(client, project.id, template.id)
        },
      })
    },
  }
}

function formatLoss(name: string, usage: TemplateUsage | null): string {
  const steps = usage?.workflowSteps ?? []
  if (steps.length > 0) return `${name} is used by ${formatWorkflows(usage)}, which must let go of it first.`
  const sent = usage?.emailsSent ?? 0
  const kept = sent > 0 ? ` The ${count(sent, "mail")} sent with it ${sent === 1 ? "stays" : "stay"}.` : ""
  return `${name} is gone for good. Programs that send it will be refused.${kept}`
}

export function formatWorkflows(usage: TemplateUsage | null): string {
  const names = new Set(usage?.workflowSteps.map(({ workflowName }) => workflowName))
  return `the ${names.size === 1 ? "workflow" : "workflows"} ${[...names].join(", ")}`
}
