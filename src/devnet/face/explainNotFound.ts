import { masterchain } from '../../primitives/BlockId.ts'
import { formatShard } from '../../primitives/shard.ts'
import type { ChainStore } from '../store/ChainStore.ts'
import type { StoredBlock } from '../store/StoredBlock.ts'
import { findTop, newestMaster, tellMaster, tellShards } from './referenceBlock.ts'

/** What a block may be looked up by, among those whose shard holds an account prefix. */
export type LookupBy = 'lt' | 'utime' | 'seqno'

/** What a node calls the criterion where it has no files of a workchain at all. */
const missingWords = { lt: 'lt', utime: 'ts', seqno: 'seqno' } as const

/** Why no block was found, as a node says it. */
export const explainNotFound = (
  store: ChainStore,
  workchain: number,
  prefix: bigint,
  by: LookupBy,
  value: bigint,
): string => {
  const newest = workchain === masterchain ? newestMaster(store) : findTop(store, workchain, prefix | 1n)
  const asked = `cannot find block (${workchain},${formatShard(prefix)}) ${by}=${value}`
  if (newest === undefined) return `${asked}: ${missingWords[by]} not in db`
  const isAhead = value > reachOf(store, store.index.find(newest), by)
  const hint = !isAhead ? '' : workchain === masterchain ? tellMaster(store) : tellShards(store)
  return `${asked}: ltdb: block not found${hint}`
}

const reachOf = (store: ChainStore, newest: StoredBlock | undefined, by: LookupBy): bigint => {
  if (by === 'lt') return newest?.endLt ?? 0n
  // Of a shard it is the time of the masterchain block that counts.
  if (by === 'utime') return BigInt(store.head?.genUtime ?? 0)
  return BigInt(newest?.id.seqno ?? 0)
}
