import { notifications } from "@mantine/notifications"
import { type QueryClient, useQueryClient } from "@tanstack/react-query"
import { useEffect, useMemo, useState } from "react"
import { useLocation, useRouter } from "wouter"
import { isMissing } from "../../api/http.ts"
import { noRefusal, type Refusal } from "../../api/refusal.ts"
import { useDeparture, useUnsaved } from "../../context/leave-guard.ts"
import { useSession } from "../../context/session.ts"
import { useChange } from "../../queries/use-change.ts"
import { type Edited, keptDraft } from "./kept.ts"
import { useKept } from "./use-kept.ts"

/** How a kind of item is edited and stored. `Base` may be null where an item may have yet to be created. */
export interface DraftKind<Item extends Stored, Content extends object, Base extends Item | null> {
  /** For questions to the user: `template`. */
  readonly noun: string
  /** The path of an item's editor. Leaving it asks if there is unsaved content. */
  pathOf(item: Item | Base): string
  /** The editable content of an item. Parts of `before` are kept if they are equivalent. */
  contentOf(item: Item | Base, before?: Content): Content
  isChanged(content: Content, base: Item | Base): boolean
  load(projectId: string, id: string): Promise<Item>
  /** Saves the content over the stored item; null creates it. */
  save(projectId: string, content: Content, stored: Item | Base, base: Item | Base): Promise<Item>
  /** Puts the stored item into the caches. */
  cache(client: QueryClient, projectId: string, item: Item): void
  /** How a refusal is shown. */
  refusalOf(cause: unknown): Refusal
  /** Called when the item was found to be deleted elsewhere. */
  missing?(client: QueryClient, projectId: string): void
  /** Why the content cannot be saved, checked before the request; null when it can. */
  lacks?(content: Content): Refusal | null
  /** Whether changes stored elsewhere would be lost. By default, whenever there are any. */
  isContested?(base: Item, stored: Item, content: Content): boolean
  /** What has become of an item that cannot be changed any more: `was sent`; null while it can. */
  finalStateOf?(stored: Item): string | null
  /** The new base after saving, if typing continued meanwhile. By default the saved item. */
  baseAfter?(base: Item, saved: Item, sent: Content): Item
  /** Creates an item again that was deleted elsewhere, where that is possible. */
  createAgain?(projectId: string, content: Content, base: Item): Promise<Item>
}

/** The stored item was deleted elsewhere. */
class GoneError extends Error {}

interface Stored {
  readonly id: string
  readonly updatedAt: string
}

export interface Draft<Item, Content, Base = Item> {
  readonly content: Content
  /** The item that the content is compared with; null while it has yet to be created. */
  readonly base: Item | Base
  readonly isDirty: boolean
  readonly saving: boolean
  /** Whether it was deleted elsewhere, so that saving creates it again. */
  readonly gone: boolean
  /** Why it was not saved; faults of a part of the content are cleared when it is edited. */
  readonly refusal: Refusal
  /** Whether saving was tried while the content was incomplete, so that faults are shown. */
  readonly isTried: boolean
  edit(part: Partial<Content>): void
  /** Discards the changes. */
  discard(): void
  /** Resolves to the stored item; null when it is not saved. Asks before it overwrites changes saved elsewhere. */
  save(): Promise<Item | null>
}

/**
 * The draft of an item, separate from the stored item until it is saved. Unsaved changes are stored in this browser and
 * restored after a reload. `isGone` once the item was found to be deleted elsewhere.
 */
export function useDraft<Item extends Stored, Content extends object, Base extends Item | null>(
  item: Item | Base,
  kind: DraftKind<Item, Content, Base>,
  isGone = false,
): Draft<Item, Content, Base> {
  const { project, config, user } = useSession()
  const [version] = useState(config.version)
  const [kept] = useState(() =>
    keptDraft<Item | Base, Content>(`${user.id}.${project.id}.${kind.noun}.${item?.id ?? "new"}`, version),
  )
  const [{ base, content }, setState] = useState<Edited<Item | Base, Content>>(
    () => kept.read() ?? { base: item, content: kind.contentOf(item) },
  )
  const [refusal, setRefusal] = useState<Refusal>(noRefusal)
  const [isTried, setTried] = useState(false)
  const [wasMissing, setMissing] = useState(false)
  const client = useQueryClient()
  const [, go] = useLocation()
  const { base: root } = useRouter()
  const depart = useDeparture()
  const gone = kind.createAgain !== undefined && (isGone || wasMissing)
  // biome-ignore-start lint/correctness/useExhaustiveDependencies: a kind is always the same functions
  const lacking = useMemo(() => kind.lacks?.(content) ?? null, [content])
  const isDirty = useMemo(() => kind.isChanged(content, base), [content, base])
  // biome-ignore-end lint/correctness/useExhaustiveDependencies: as above
  const keep = useKept(kept, { base, content }, isDirty)
  // a newer version of the page would not read what this one keeps
  const keepForReload = () => keep() && config.version === version
  useUnsaved(isDirty, (path) => path === `${root}${kind.pathOf(item)}`, keepForReload)
  const [isRestored, setRestored] = useState(isDirty)
  if (isRestored && !isDirty) setRestored(false)
  useEffect(() => {
    if (!isRestored) return
    const notice = notifications.show({ message: `What you had not saved of this ${kind.noun} is still here.` })
    return () => void notifications.hide(notice)
  }, [isRestored, kind.noun])

  // changes saved elsewhere are shown, unless there are changes here
  if (base !== item && !isDirty) setState({ base: item, content: kind.contentOf(item, content) })

  const continueFrom = (stored: Item, next: (now: Content) => Edited<Item, Content>) => {
    kind.cache(client, project.id, stored)
    setState((now) => next(now.content))
    setRefusal(noRefusal)
    setTried(false)
  }

  const change = useChange<Item | null>({
    send: async (projectId) => {
      if (gone && kind.createAgain && base) {
        const created = await kind.createAgain(projectId, content, base)
        kind.cache(client, project.id, created)
        depart(() => go(`${kind.pathOf(created)}${location.search}`, { replace: true }))
        return created
      }
      if (base === null) {
        const created = await kind.save(projectId, content, base, base)
        kind.cache(client, project.id, created)
        return created
      }
      // Later on, what is missing may also be something that the content names.
      const stored = await kind.load(projectId, base.id).catch((cause: unknown) => {
        throw kind.createAgain && isMissing(cause) ? new GoneError("It was deleted elsewhere.") : cause
      })
      // With a clock that stands still two changes have the same time.
      const isOther = base.updatedAt !== stored.updatedAt || kind.isChanged(kind.contentOf(stored), base)
      const finalState = kind.finalStateOf?.(stored) ?? null
      // The save had succeeded, but its response was lost.
      const isStored = finalState === null && !kind.isChanged(content, stored)
      const isContested = !isStored && (kind.isContested?.(base, stored, content) ?? isOther)
      const answer = isContested ? await (await import("./overwrite.tsx")).askOverwrite(kind.noun, finalState) : "save"
      if (answer === "load") continueFrom(stored, (now) => ({ base: stored, content: kind.contentOf(stored, now) }))
      if (answer !== "save") return null
      const saved = isStored ? stored : await kind.save(projectId, content, stored, base)
      const rebased = kind.baseAfter?.(base, saved, content) ?? saved
      // text typed during the request stays an unsaved change
      continueFrom(saved, (now) =>
        now === content ? { base: saved, content: kind.contentOf(saved, now) } : { base: rebased, content: now },
      )
      return saved
    },
    failed: (cause) => {
      const isLost = cause instanceof GoneError
      setMissing((was) => was || isLost)
      if (isLost) kind.missing?.(client, project.id)
      setRefusal(isLost ? noRefusal : kind.refusalOf(cause))
    },
  })
  return {
    content,
    base,
    isDirty,
    saving: change.isRunning,
    gone,
    refusal: isTried && lacking ? lacking : refusal,
    isTried,
    edit(part) {
      setState((now) => ({ ...now, content: { ...now.content, ...part } }))
      setRefusal((now) => withoutEdited(now, part))
    },
    discard() {
      setState({ base: item, content: kind.contentOf(item, content) })
      setRefusal(noRefusal)
    },
    async save() {
      if (base !== null && !isDirty && !gone) return base
      setTried(lacking !== null)
      if (lacking || change.isRunning) return null
      return (await change.run()) ?? null
    },
  }
}

/** Removes the faults of edited parts (`part` or `part:…`), and those that concern no part. */
function withoutEdited({ faults, syntax, condition }: Refusal, part: object): Refusal {
  const isEdited = (name: string): boolean => (name.split(":")[0] ?? name) in part
  return {
    faults: Object.fromEntries(Object.entries(faults).filter(([name]) => name !== "other" && !isEdited(name))),
    syntax: syntax && syntax.field in part ? null : syntax,
    condition: "condition" in part ? [] : condition,
  }
}
