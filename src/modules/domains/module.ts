import type { Engine } from "../../engine.ts"
import type { Module } from "../../module.ts"
import { createDomainActions } from "./actions.ts"

/** Sender domains: who may send as whom. */
export const createDomains = (engine: Pick<Engine, "store" | "ids">, { anyDomain }: { anyDomain: boolean }) =>
  ({ name: "domains", actions: createDomainActions(engine, { anyDomain }) }) satisfies Module
