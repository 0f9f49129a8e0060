import { Type } from "@sinclair/typebox"
import type { Engine } from "../../engine.ts"
import { defineJob } from "../../jobs/define.ts"
import { minute } from "../../kernel/clock.ts"
import type { Module } from "../../module.ts"
import type { Files } from "../../store/files.ts"

export const sweepFiles = defineJob("attachment.sweep", Type.Object({}))

/** How long, in ms, a file stays without a row: a request stores its files shortly before the row that names them. */
export const graceMs = 10 * minute

/** Deletes the files that no row of any project names; resolves to their number and their bytes. */
export async function removeUnnamed(
  { store, clock, files }: Pick<Engine, "store" | "clock"> & { readonly files: Files },
  modules: readonly Pick<Module, "files">[],
  abort?: AbortSignal,
): Promise<{ rows: number; bytes: number }> {
  const before = clock.now() - graceMs
  const named = new Set<string>()
  for (const { files: hashes } of modules)
    if (hashes) for (const hash of await store.readPool.read("instance", hashes)) named.add(hash)
  const removed = { rows: 0, bytes: 0 }
  for await (const hash of files.list()) {
    if (abort?.aborted) break
    const bytes = named.has(hash) ? undefined : files.removeUnlessKeptSince(hash, before)
    if (bytes === undefined) continue
    removed.rows++
    removed.bytes += bytes
  }
  return removed
}
