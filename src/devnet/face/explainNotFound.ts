import { masterchain } from '../../primitives/BlockId.ts'
import { formatShard } from '../../primitives/shard.ts'
import type { ChainStore } from '../store/ChainStore.ts'
import type { StoredBlock } from '../store/StoredBlock.ts'
import { findTop, newestMaster, tellMaster, tellShards } from './referenceBlock.ts'

/** What a block may be looked up by, among those whose shard holds an account prefix. */
export type LookupBy = 'lt' | 'utime' | 'seqno'

/** Why no block was found, as a node says it. */
export const explainNotFound = (
  store: ChainStore,
  workchain: number,
  prefix: bigint,
  by: LookupBy,
  value: bigint,
): string => {
  const newest = workchain === masterchain ? newestMaster(store) : findTop(store, workchain, prefix | 1n)
  const isAhead = newest !== undefined && value > reachOf(store, store.index.find(newest), by)
  const hint = !isAhead ? '' : workchain === masterchain ? tellMaster(store) : tellShards(store)
  return `cannot find block (${workchain},${formatShard(prefix)}) ${by}=${value}: ltdb: block not found${hint}`
}

const reachOf = (store: ChainStore, newest: StoredBlock | undefined, by: LookupBy): bigint => {
  if (by === 'lt') return newest?.endLt ?? 0n
  // Of a shard it is the time of the masterchain block that counts.
  if (by === 'utime') return BigInt(store.head?.genUtime ?? 0)
  return BigInt(newest?.id.seqno ?? 0)
}
