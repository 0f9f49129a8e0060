import { IconBolt } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { listStepFields } from "../../../../api/workflows.ts"
import { useSession } from "../../../../context/session.ts"
import { type Catalogue, type Choice, coreChoices } from "../../../../parts/condition/builder/catalogue.ts"
import type { DataType } from "../../../../parts/condition/model/operators.ts"
import { kinds } from "../../../../parts/data/kinds.ts"

type StepCatalogue = Pick<Catalogue, "groups" | "choiceOf" | "typeOf" | "guessesOf">

const types = ["string", "number", "boolean", "date"] as const
const typeOf = (type: string | undefined): DataType => types.find((known) => known === type)

/** The known fields of contacts and of the data of an event; undefined until they are loaded. */
function useStepFields(eventName: string) {
  const projectId = useSession().project.id
  return useQuery({
    queryKey: ["workflow-fields", projectId, eventName],
    queryFn: ({ signal }) => listStepFields(projectId, eventName, signal),
    staleTime: 15_000,
  }).data
}

/** The fields that a CONDITION step can be about: those of contacts, and the data of the event that starts it. */
export function useStepCatalogue(eventName: string): StepCatalogue {
  const data = useStepFields(eventName)
  return useMemo(() => {
    const known = data?.typedFields ?? []
    const choice = (field: string, type: string): Choice => ({
      field,
      label: field.slice(field.indexOf(".") + 1),
      icon: field.startsWith("event.") ? IconBolt : kinds[typeOf(type) ?? "string"].icon,
      isKnown: true,
    })
    const having = (prefix: string) =>
      known.filter(({ field }) => field.startsWith(prefix)).map(({ field, type }) => choice(field, type))
    const groups = [
      { name: "Contact", choices: coreChoices },
      { name: "Custom fields", choices: having("data.") },
      { name: eventName === "" ? "Data of the event" : `Data of ${eventName}`, choices: having("event.") },
    ].filter(({ choices }) => choices.length > 0)
    const all = new Map(groups.flatMap(({ choices }) => choices.map((one) => [one.field, one] as const)))
    const byType = new Map(known.map(({ field, type }) => [field, type]))
    return {
      groups,
      typeOf: (field) => (field.startsWith("event.") ? undefined : typeOf(byType.get(field))),
      choiceOf: (sent) => {
        const field = sent.replace(/^contact\./, "").replace(/^workflow\./, "event.")
        return field === "" ? null : (all.get(field) ?? choice(field, "string"))
      },
      guessesOf: (text) => {
        const name = text.trim()
        const guesses: readonly Choice[] = [
          { ...choice(`data.${name}`, "string"), label: `Custom field “${name}”`, isKnown: false },
          { ...choice(`event.${name}`, "string"), label: `Data of the event “${name}”`, isKnown: false },
        ]
        return name === "" ? [] : guesses.filter(({ field }) => !all.has(field))
      },
    }
  }, [data, eventName])
}

/** The data of an event, as the builder of conditions has custom fields. */
export function useEventData(eventName: string): Catalogue {
  const data = useStepFields(eventName)
  return useMemo(() => {
    const choice = (path: string): Choice => ({ field: `data.${path}`, label: path, icon: IconBolt, isKnown: true })
    const paths = (data?.fields ?? []).flatMap((field) =>
      field.startsWith("event.") ? [field.slice("event.".length)] : [],
    )
    return {
      groups: paths.length > 0 ? [{ name: `Data of ${eventName}`, choices: paths.map(choice) }] : [],
      choiceOf: (field) => (field === "" ? null : choice(field.slice("data.".length))),
      typeOf: () => undefined,
      segmentName: () => null,
      isReady: data !== undefined,
      guessesOf: (text) => {
        const path = text.trim()
        return path === "" || paths.includes(path) ? [] : [{ ...choice(path), label: `“${path}”`, isKnown: false }]
      },
    }
  }, [data, eventName])
}
