import { join } from "node:path"
import type { BunPlugin } from "bun"
import { threads } from "../../config/threads.ts"

const sources = join(import.meta.dir, "../../src")

/** The dashboard is most of what is bundled, and no browser asks these programs for it. */
const withoutDashboard: BunPlugin = {
  name: "without dashboard",
  setup(build) {
    build.onLoad({ filter: /src\/dashboard\/(index\.html|frame\/document\.tsx)$/ }, () => ({
      contents: "export default {}",
      loader: "js",
    }))
  },
}

/**
 * Bundles a program of this folder that tests start many times, into one file in `folder`, and returns its path: it starts
 * in a third of the processor time. Its threads run from the sources.
 */
export async function bundle(program: string, folder: string): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [join(import.meta.dir, program)],
    outdir: folder,
    target: "bun",
    minify: true,
    plugins: [withoutDashboard],
    define: Object.fromEntries(
      Object.entries(threads).map(([name, path]) => [name, JSON.stringify(join(sources, path))]),
    ),
  })
  return outputs.find(({ kind }) => kind === "entry-point")?.path ?? ""
}
