import { join } from "node:path"
import type { BunPlugin } from "bun"
import { threads } from "../../config/threads.ts"

const root = join(import.meta.dir, "../..")

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
 * Bundles a program that tests start many times, by its path in the repository, into one file in `folder`; returns the
 * path of that. It starts in a third of the processor time. Its threads run from the sources.
 */
export async function bundle(program: string, folder: string): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [join(root, program)],
    outdir: folder,
    target: "bun",
    minify: true,
    plugins: [withoutDashboard],
    define: Object.fromEntries(
      Object.entries(threads).map(([name, path]) => [name, JSON.stringify(join(root, "src", path))]),
    ),
  })
  return outputs.find(({ kind }) => kind === "entry-point")?.path ?? ""
}
