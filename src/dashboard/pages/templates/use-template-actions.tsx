import { notifications } from "@mantine/notifications"
import { useLocation } from "wouter"
import type { Template } from "../../api/templates.ts"
import { deleteTemplate, duplicateTemplate, getTemplateUsage, type TemplateUsage } from "../../api/templates.ts"
import { asNew } from "../../context/just-created.ts"
import { useBeforeLeaving, useRelease } from "../../context/leave-guard.ts"
import { useSession } from "../../context/session.ts"
import { cacheTemplate, dropTemplate } from "../../queries/templates.ts"
import { useChange } from "../../queries/use-change.ts"
import { confirm } from "../../ui/confirm.tsx"
import { count } from "../../ui/format.ts"

/** What can be done with a template as a whole. `onGone` is called once it is deleted, before it leaves the lists. */
export function useTemplateActions(template: Pick<Template, "id" | "name">, onGone: () => void = () => {}) {
  const projectId = useSession().project.id
  const [, go] = useLocation()
  const beforeLeaving = useBeforeLeaving()
  const release = useRelease()

  const copying = useChange({
    send: (projectId) => duplicateTemplate(projectId, template.id),
    title: "Not duplicated",
    done(client, projectId, copy) {
      cacheTemplate(client, projectId, copy)
      release()
      go(`/templates/${copy.id}`, asNew)
      notifications.show({ message: `This is the copy: ${copy.name}`, autoClose: 3000 })
    },
  })
  const deletion = useChange({
    send: (projectId) => deleteTemplate(projectId, template.id),
    title: "Not deleted",
    done(client, projectId) {
      onGone()
      dropTemplate(client, projectId, template.id)
    },
  })
  return {
    /** Copies it as it is stored, and opens the copy. */
    duplicate: () => beforeLeaving(() => void copying.run()),
    async remove() {
      const usage = await getTemplateUsage(projectId, template.id).catch(() => null)
      confirm({
        title: "Delete this template?",
        text: formatLoss(template.name, usage),
        confirm: "Delete",
        onConfirm: () => void deletion.run(),
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
