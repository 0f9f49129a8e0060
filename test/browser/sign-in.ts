import type { Page } from "playwright-core"
import { type AccountServer, password } from "./account-server.ts"

export const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })

/** Fills in and sends the sign-in form of the page. */
export async function signIn(page: Page, email: string, secret = password): Promise<void> {
  await field(page, "Email").fill(email)
  await field(page, "Password").fill(secret)
  await page.getByRole("button", { name: "Sign in" }).click()
}

/** Goes to a page, where nobody is signed in, and signs in there. */
export async function signInAt(page: Page, server: AccountServer, email: string, path: string): Promise<void> {
  await page.context().clearCookies()
  await page.goto(server.url + path)
  await signIn(page, email)
  // the page behind the sign-in form may have fields with the same names
  await page.getByRole("heading", { name: "Sign in" }).waitFor({ state: "detached" })
}
