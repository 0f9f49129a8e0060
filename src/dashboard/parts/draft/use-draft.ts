import { notifications } from "@mantine/notifications"
import { type QueryClient, useQueryClient } from "@tanstack/react-query"
import { useEffect, useMemo, useState } from "react"
import { useLocation, useRouter } from "wouter"
import { isMissing } from "../../api/http.ts"
import { noRefusal, type Refusal } from "../../api/refusal.ts"
import { useRelease, useUnsaved } from "../../context/leave-guard.ts"
import { useSession } from "../../context/session.ts"
import { useChange } from "../../queries/use-change.ts"
import { type Edited, keptDraft } from "./kept.ts"
import { askOverwrite } from "./overwrite.tsx"
import { useKept } from "./use-kept.ts"

/** How a thing is edited apart from how it is stored. */
/** `Base` is null too where an item may have yet to be created. */
export interface DraftKind<Item extends Stored, Content extends object, Base extends Item | null> {
  /** For questions to the reader: `template`. */
  readonly noun: string
  /** Where an item is edited. Any other address asks before unsaved content is left. */
  pathOf(item: Item | Base): string
  /** What is edited of an item. `before` goes on being edited where it says the same. */
  contentOf(item: Item | Base, before?: Content): Content
  isChanged(content: Content, base: Item | Base): boolean
  load(projectId: string, id: string): Promise<Item>
  /** Saves the content over what is stored; null creates it. */
  save(projectId: string, content: Content, stored: Item | Base, base: Item | Base): Promise<Item>
  /** Puts an item as it is stored now into the caches. */
  cache(client: QueryClient, projectId: string, item: Item): void
  /** How a refusal is shown. */
  refusalOf(cause: unknown): Refusal
  /** Called when it turns out that the item was deleted elsewhere. */
  missing?(client: QueryClient, projectId: string): void
  /** Why the content cannot be saved as it stands, before anybody is asked; null when it can. */
  lacks?(content: Content): Refusal | null
  /** Whether what was stored elsewhere meanwhile would be lost. By default whenever something was. */
  isContested?(base: Item, stored: Item, content: Content): boolean
  /** What the content is compared with once it was saved, where typing went on meanwhile. By default what was saved. */
  baseAfter?(base: Item, saved: Item, sent: Content): Item
  /** Where an item that was deleted elsewhere can be created again. */
  createAgain?(projectId: string, content: Content, base: Item): Promise<Item>
}

interface Stored {
  readonly id: string
  readonly updatedAt: string
}

export interface Draft<Item, Content, Base = Item> {
  readonly content: Content
  /** What the content is compared with; null while the item has yet to be created. */
  readonly base: Item | Base
  readonly isDirty: boolean
  readonly saving: boolean
  /** It was deleted elsewhere, and saving creates it again. */
  readonly gone: boolean
  /** Why it was not saved; what is about a part of the content goes when that is edited. */
  readonly refusal: Refusal
  /** Saving was tried while something was lacking, so that is to be pointed at. */
  readonly isTried: boolean
  edit(part: Partial<Content>): void
  /** Gives up what was changed. */
  discard(): void
  /**
   * Resolves to the item as it is stored now; null when it is not saved. Asks before it overwrites what was saved elsewhere
   * meanwhile.
   */
  save(): Promise<Item | null>
}

/**
 * The content of an item while it is edited, apart from the one that is stored until it is saved. What was not saved is
 * kept in this browser and goes on after a reload.
 */
export function useDraft<Item extends Stored, Content extends object, Base extends Item | null>(
  item: Item | Base,
  kind: DraftKind<Item, Content, Base>,
  isGone = false,
): Draft<Item, Content, Base> {
  const { project, config } = useSession()
  const [kept] = useState(() =>
    keptDraft<Item | Base, Content>(`${project.id}.${kind.noun}.${item?.id ?? "new"}`, config.version),
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
  const release = useRelease()
  const gone = kind.createAgain !== undefined && (isGone || wasMissing)
  // biome-ignore-start lint/correctness/useExhaustiveDependencies: a kind is always the same functions
  const lacking = useMemo(() => kind.lacks?.(content) ?? null, [content])
  const isDirty = useMemo(() => kind.isChanged(content, base), [content, base])
  // biome-ignore-end lint/correctness/useExhaustiveDependencies: as above
  const keep = useKept(kept, { base, content }, isDirty)
  useUnsaved(isDirty, (path) => path === `${root}${kind.pathOf(item)}`, keep)
  const [wasKept] = useState(isDirty)
  useEffect(() => {
    if (wasKept) notifications.show({ message: `What you had not saved of this ${kind.noun} is still here.` })
  }, [wasKept, kind.noun])

  // what is saved elsewhere is shown, unless something was changed here
  if (base !== item && !isDirty) setState({ base: item, content: kind.contentOf(item, content) })

  const goOnFrom = (stored: Item, next: (now: Content) => Edited<Item, Content>) => {
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
        release()
        go(`${kind.pathOf(created)}${location.search}`, { replace: true })
        return created
      }
      if (base === null) {
        const created = await kind.save(projectId, content, base, base)
        kind.cache(client, project.id, created)
        return created
      }
      const stored = await kind.load(projectId, base.id)
      const isContested = kind.isContested?.(base, stored, content) ?? base.updatedAt !== stored.updatedAt
      const answer = isContested ? await askOverwrite(kind.noun) : "save"
      if (answer === "load") goOnFrom(stored, (now) => ({ base: stored, content: kind.contentOf(stored, now) }))
      if (answer !== "save") return null
      const saved = await kind.save(projectId, content, stored, base)
      const rebased = kind.baseAfter?.(base, saved, content) ?? saved
      // what was typed while the request was under way stays changed
      goOnFrom(saved, (now) =>
        now === content ? { base: saved, content: kind.contentOf(saved, now) } : { base: rebased, content: now },
      )
      return saved
    },
    failed: (cause) => {
      const isLost = kind.createAgain !== undefined && isMissing(cause)
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

/** What is about an edited part is not said any longer, nor what is about none. */
function withoutEdited({ faults, syntax, condition }: Refusal, part: object): Refusal {
  return {
    faults: Object.fromEntries(Object.entries(faults).filter(([name]) => name !== "other" && !(name in part))),
    syntax: syntax && syntax.field in part ? null : syntax,
    condition: "condition" in part ? [] : condition,
  }
}
