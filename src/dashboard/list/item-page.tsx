import { Loader } from "@mantine/core"
import { useDocumentTitle } from "@mantine/hooks"
import type { ReactNode } from "react"
import { isMissing } from "../api/http.ts"
import { useReturn } from "../context/return-focus.tsx"
import { PageHead } from "../parts/page-head.tsx"
import { Notice } from "../ui/empty-state.tsx"
import styles from "./list-page.module.css"

interface ItemPageProps<T> {
  /** Of the list that it belongs to: `Templates`. */
  title: string
  /** `template` */
  noun: string
  /** Of the list. */
  path: string
  query: { readonly data: T | undefined; readonly error: Error | null; refetch(): unknown }
  /** The title of the document, by the name of the item; that name when absent. */
  titleOf?: (name: string) => string
  /** `isGone` once it was found to be deleted elsewhere. */
  children(item: T, isGone: boolean): ReactNode
}

/** The page of one item of a list, or the reason why it cannot be shown. */
export function ItemPage<T extends { readonly name: string }>(props: ItemPageProps<T>) {
  const { title, noun, path, query, titleOf = (name) => name, children } = props
  const { data: item, error, refetch } = query
  const goBack = useReturn()
  const nounAsTitle = noun.charAt(0).toUpperCase() + noun.slice(1)
  useDocumentTitle(`${item ? titleOf(item.name) : nounAsTitle} · Mailstead`)
  if (item) return children(item, isMissing(error))
  return (
    <main className={styles.page}>
      <PageHead title={title} summary="" />
      {isMissing(error) ? (
        <Notice
          failed
          text={`This ${noun} is not here. It was deleted, or belongs to another project.`}
          action={`All ${title.toLowerCase()}`}
          onAction={() => goBack(path)}
        />
      ) : error ? (
        <Notice failed text={error.message} action="Try again" onAction={() => void refetch()} />
      ) : (
        <Loader m="auto" color="gray" type="dots" aria-label="Loading" />
      )}
    </main>
  )
}
