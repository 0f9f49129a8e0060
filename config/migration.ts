import { readdirSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { migrationIndex } from "./migrations.ts"

/**
 * `bun run migration --name=noun_verb` compares the tables with the last migration, writes the next one, to be
 * reviewed, and lists all of them again.
 */
const options = process.argv.slice(2)
if (!options.some((option) => /^--name=[a-z_]+$/.test(option))) {
  console.error("Say what the migration does: bun run migration --name=noun_verb")
  process.exit(2)
}
const root = resolve(import.meta.dir, "..")
const folder = join(root, "src/store/migrations")
const kit = Bun.spawnSync(
  [process.execPath, "x", "drizzle-kit", "generate", "--config=config/drizzle.ts", ...options],
  { cwd: root, stdout: "inherit", stderr: "inherit" },
)
if (kit.exitCode === 0) {
  writeFileSync(join(folder, "index.ts"), migrationIndex(readdirSync(folder)))
  const meta = join(folder, "meta")
  const snapshots = readdirSync(meta).filter((name) => name.endsWith("_snapshot.json"))
  // Each describes all tables; the next comparison needs the last one alone.
  for (const older of snapshots.sort().slice(0, -1)) rmSync(join(meta, older))
}
process.exitCode = kit.exitCode
