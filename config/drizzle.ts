import { defineConfig } from "drizzle-kit"

/** For `bun run migration`: compares the tables with the last migration and writes the next one, to be reviewed. */
export default defineConfig({
  dialect: "sqlite",
  schema: ["src/modules/**/table.ts", "src/bus/table.ts", "src/jobs/table.ts", "src/http/table.ts"],
  out: "src/store/migrations",
  breakpoints: false,
})
