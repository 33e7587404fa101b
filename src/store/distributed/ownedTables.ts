import { tables } from '../schema/tables.ts'

/**
 * Contracts are on the worker of their own address. Lists by owner would ask every worker, so a cluster has these rows again, on the
 * worker of the owner.
 */
export const ownedCopies = {
  jetton_wallets: { copy: 'owned_wallets', owner: 'owner' },
  nft_items: { copy: 'owned_items', owner: 'owner_address' },
} as const

export type OwnedCopy = (typeof ownedCopies)[keyof typeof ownedCopies]

/** The copy of a table, if it has one. */
export const findCopy = (table: string) =>
  table in ownedCopies ? ownedCopies[table as keyof typeof ownedCopies] : undefined

/** Copies the rows of a table that have an owner. */
export const fillStatement = (table: string): string => {
  const { copy, owner } = findCopy(table)!
  const columns = Object.keys(tables[copy]).join(', ')
  return `INSERT INTO ${copy} (${columns}) SELECT ${columns} FROM ${table} WHERE ${owner} IS NOT NULL`
}

const LISTS = [
  { list: /\bfrom "?jetton_wallets"?(?= (?:as j\s+)?where \(?(?:j\.|")?owner\b)/g, copy: 'owned_wallets' },
  { list: /\bfrom nft_items(?= as i where i\.owner_address\b)/g, copy: 'owned_items' },
] as const

/** Reads lists by owner from the copies. */
export const readOwned = (sql: string): string =>
  LISTS.reduce((text, { list, copy }) => text.replace(list, `from ${copy}`), sql)
