import { createPrivateKey } from "node:crypto"
import { LRUCache } from "lru-cache"
import type { Engine } from "../../engine.ts"
import { conflict } from "../../kernel/errors.ts"
import type { SigningKey } from "../../mail/dkim.ts"
import type { Unit } from "../../store/writer.ts"
import { createKeyMaker } from "./keys.ts"
import { missing } from "./rules.ts"
import { deleteKeys, findDomain, insertKeys, listKeys, switchKeys } from "./store.ts"
import type { DkimKey, Domain } from "./table.ts"

/** The DKIM keys of domains: created on first use, and replaced in steps (contract B6.10). */
export function createDkimKeys({ store, ids, secret }: Pick<Engine, "store" | "ids" | "secret">) {
  /** Parsed keys, by id. They are cached in memory because parsing costs more than a signature; a key never changes. */
  const parsed = new LRUCache<string, SigningKey>({ max: 1_000 })

  const makeKeys = createKeyMaker()

  /** Rows of new keys for a domain. */
  async function make(
    { id: domainId, projectId }: Pick<Domain, "id" | "projectId">,
    state: DkimKey["state"],
    first: number,
  ) {
    const made = await makeKeys(projectId, first)
    return (unit: Unit): DkimKey[] =>
      made.map(({ privateKey, ...key }) => ({
        ...key,
        id: ids.next(),
        domainId,
        state,
        privateSealed: secret.seal(privateKey),
        createdAt: unit.now,
      }))
  }

  return {
    /** The keys of a domain, created on first use, because a domain that the operator verified may never sign. */
    async of(domain: Pick<Domain, "id" | "projectId">): Promise<DkimKey[]> {
      const { id, projectId } = domain
      const stored = await listKeys(store.read, id)
      if (stored.length > 0) return stored
      const rowsAt = await make(domain, "active", 1)
      return store.write(projectId, async (unit) => {
        if ((await findDomain(unit.db, projectId, id)) === undefined) return []
        if ((await listKeys(unit.db, id)).length === 0) await insertKeys(unit, rowsAt(unit))
        return listKeys(unit.db, id)
      })
    },

    /**
     * Adds the next keys, under selectors of their own, and forgets those that were replaced before. `record` runs in the
     * same unit. @throws {DomainError} 409 while earlier ones wait to be published, 404
     */
    async add(given: Domain, record: (unit: Unit, added: readonly DkimKey[]) => Promise<void>) {
      const { id, projectId, domain } = given
      const stored = await listKeys(store.read, id)
      const rowsAt = await make(given, "next", Math.max(0, ...stored.map(numberOf)) + 1)
      await store.write(projectId, async (unit) => {
        if ((await findDomain(unit.db, projectId, id)) === undefined) missing(id)
        const now = await listKeys(unit.db, id)
        const waiting = now.find(({ state }) => state === "next")
        if (waiting || now.length !== stored.length)
          throw conflict(`${domain} has new keys already, which wait for their DNS records.`, {
            selector: waiting?.selector ?? null,
          })
        const added = rowsAt(unit)
        await deleteKeys(
          unit,
          id,
          now.filter(({ state }) => state === "old").map(({ selector }) => selector),
        )
        await insertKeys(unit, added)
        await record(unit, added)
      })
    },

    /** Stores what a check has changed. */
    async settle(unit: Unit, domainId: string, { switched, gone }: Pick<Rotation, "switched" | "gone">) {
      if (switched.length > 0) await switchKeys(unit, domainId, switched)
      await deleteKeys(unit, domainId, gone)
    },

    parse({ id, selector, algorithm, privateSealed }: DkimKey): SigningKey {
      const cached = parsed.get(id)
      if (cached) return cached
      const key = { selector, algorithm, privateKey: createPrivateKey(secret.open(privateSealed)) }
      parsed.set(id, key)
      return key
    },
  }
}

const numberOf = ({ selector }: DkimKey): number => Number(selector.slice("ms".length))

/** The changes of a domain's keys after a check. */
interface Rotation {
  readonly keys: readonly DkimKey[]
  /** Selectors of the next keys that have become the active ones. */
  readonly switched: readonly string[]
  /** Selectors of old keys whose records are gone from the DNS. */
  readonly gone: readonly string[]
}

/**
 * The keys after a check that found `published` or not; undefined for a selector without an answer. The next keys sign as
 * soon as the RSA key of them is published. An old key is forgotten when its record is gone. Pure.
 */
export function afterLookup(keys: readonly DkimKey[], published: (key: DkimKey) => boolean | undefined): Rotation {
  const next = keys.filter(({ state }) => state === "next")
  const isSeen = next.some((key) => key.algorithm === "rsa" && published(key))
  const moved = isSeen ? keys.map((key) => ({ ...key, state: stateAfterSwitch[key.state] })) : keys
  const gone = moved.filter((key) => key.state === "old" && published(key) === false).map(({ selector }) => selector)
  return {
    keys: moved.filter(({ selector }) => !gone.includes(selector)),
    switched: isSeen ? next.map(({ selector }) => selector) : [],
    gone,
  }
}

const stateAfterSwitch = { next: "active", active: "old", old: "old" } as const
