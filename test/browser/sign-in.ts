import type { Page } from "playwright-core"
import { type AccountServer, password } from "./account-server.ts"

export const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })

/** Goes to a page, where nobody is signed in, and signs in there. */
export async function signInAt(page: Page, server: AccountServer, email: string, path: string): Promise<void> {
  await page.context().clearCookies()
  await page.goto(server.url + path)
  await field(page, "Email").fill(email)
  await field(page, "Password").fill(password)
  await page.getByRole("button", { name: "Sign in" }).click()
  // the page behind the sign-in form may have fields with the same names
  await page.getByRole("heading", { name: "Sign in" }).waitFor({ state: "detached" })
}
