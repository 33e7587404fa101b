// Indexes store parts of hashes; collisions are rare, and the whole value is compared as well.

const ID_PART_BYTES = 7

/** The indexed part of a trace id of transactions, and of a content's hash: its first seven bytes (migration 0023). */
export const idPart = (id: string): string => `substring(${id} from 1 for ${ID_PART_BYTES})`

/** The condition that finds such an id by its index. */
export const isId = (column: string, value: string): string =>
  `${idPart(column)} = ${idPart(value)} and ${column} = ${value}`

/** The same for any of some ids: `parts` is a parameter with their {@link idParts}, which any server of a cluster can use as it is. */
export const isAnyId = (column: string, values: string, parts: string): string =>
  `${hasAnyIdPart(column, parts)} and ${column} = any(${values}::bytea[])`

/** Finds rows by the parts alone: the caller compares the whole ids. The server would compare each row with the whole list. */
export const hasAnyIdPart = (column: string, parts: string): string => `${idPart(column)} = any(${parts}::bytea[])`

export const idParts = (ids: readonly Uint8Array[]): Uint8Array[] => ids.map((id) => id.subarray(0, ID_PART_BYTES))
