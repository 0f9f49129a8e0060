import { type ComponentType, useEffect, useState, useSyncExternalStore } from "react"
import { flushSync } from "react-dom"
import { Loading } from "./loading.tsx"
import { notLoaded } from "./not-loaded.ts"

type Load<P> = () => Promise<{ default: ComponentType<P> }>

type Lazy<P> = ComponentType<P> & {
  /** Loads it before it is shown. */
  readonly load: () => Promise<void>
}

/**
 * A component that is loaded when it is first shown; `Meanwhile` is in its place until then. One that could not be loaded
 * fails to render, and is loaded again when it is shown again. Unlike React's own `lazy` it needs no Suspense, which
 * keeps a fallback in view for 300 ms even when everything is there after ten.
 */
export function lazy<P extends object>(load: Load<P>, Meanwhile?: ComponentType<P>, failed?: () => void): Lazy<P> {
  let Content: ComponentType<P> | undefined
  let loading: Promise<void> | undefined
  const start = () => {
    loading ??= load().then(
      (module) => {
        Content = module.default
      },
      (cause: unknown) => {
        loading = undefined
        throw cause
      },
    )
    return loading
  }

  function Lazy(props: P) {
    const attempt = useSyncExternalStore(notLoaded.subscribe, notLoaded.attempt)
    const [isLoaded, setLoaded] = useState(Content !== undefined)
    const [failure, setFailure] = useState<{ readonly cause: unknown }>()
    // biome-ignore lint/correctness/useExhaustiveDependencies: loaded again with the next attempt
    useEffect(() => {
      let isShown = true
      if (!isLoaded)
        start().then(
          () => isShown && setLoaded(true),
          (cause: unknown) => isShown && (failed ? failed() : setFailure({ cause })),
        )
      return () => {
        isShown = false
      }
    }, [isLoaded, attempt])
    if (failure) throw failure.cause
    if (Content) return <Content {...props} />
    return Meanwhile ? <Meanwhile {...props} /> : null
  }
  return Object.assign(Lazy, { load: start })
}

/**
 * For what the page in view can do without, which keeps its unsaved changes when this cannot be loaded: `notLoaded` is told
 * instead.
 */
export const lazyPart = <P extends object>(
  load: Load<P>,
  Meanwhile?: ComponentType<P>,
  failed: () => void = notLoaded.tell,
): Lazy<P> => lazy(load, Meanwhile, failed)

/** The content of a page, and how it is loaded ahead. */
export function onDemand(load: Load<object>) {
  const content = lazy(load, Loading)
  return { content, load: content.load }
}

/**
 * Loads what the first view of a page can do without, a dialog for example, and opens it. At once after the wait: else a
 * dialog may take the focus before it has noted where to give it back.
 */
export const openOnDemand =
  <M, A extends readonly unknown[]>(load: () => Promise<M>, open: (module: M, ...args: A) => void) =>
  (...args: A): void => {
    notLoaded.tryAgain()
    load().then((module) => flushSync(() => open(module, ...args)), notLoaded.tell)
  }

/** Whether a condition holds or has held while the component was mounted: what is mounted for it then stays. */
export function useHasBeen(condition: boolean): boolean {
  const [hasBeen, setHasBeen] = useState(condition)
  if (condition && !hasBeen) setHasBeen(true)
  return hasBeen || condition
}

/**
 * False at first: a dialog that is loaded when it is to open is mounted closed, since it notes where to give the focus back
 * when it opens.
 */
export function useIsMounted(): boolean {
  const [isMounted, setIsMounted] = useState(false)
  useEffect(() => setIsMounted(true), [])
  return isMounted
}
