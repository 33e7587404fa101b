import { PARTITION_WIDTH } from '../../../src/cli/index/startIndexer.ts'
import { linkBlockSets, NOTHING_OPEN } from '../../../src/indexer/link/linkBlockSets.ts'
import { createIndexStore } from '../../../src/indexer/pipeline/IndexStore.ts'
import type { Database } from '../../../src/store/connect/Database.ts'
import type { Lease } from '../../../src/store/writer/lease.ts'
import { ChainTemplate } from './ChainTemplate.ts'
import { CopyLayout } from './CopyLayout.ts'
import { copyBatch } from './copyBatch.ts'
import { fillMetadata } from './fillMetadata.ts'
import type { RecordedChain } from './recordChain.ts'

export type GrowOptions = {
  /** With every migration. It is empty, or was begun with the same chains and seed. */
  readonly database: Pick<Database, 'transaction' | 'openConnection'>
  readonly chains: readonly RecordedChain[]
  /** How many there are to be in the end, at least. */
  readonly transactions: number
  readonly seed?: number
  /** Into how many parts so many transactions are divided; one more where the last is not full. Without it, as the indexer does. */
  readonly partitions?: number | undefined
  /** Without it, nobody else may write. */
  readonly lease?: Pick<Lease, 'guard'>
  /** Ends it after the batch that is being written. */
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: Growth) => void
}

export type Growth = {
  /** Masterchain blocks from 1 on. */
  readonly blocks: number
  readonly transactions: number
  /** How often every chain has been copied. */
  readonly rounds: number
  /** Transactions that were added by this call. */
  readonly added: number
}

const unguarded: Pick<Lease, 'guard'> = { guard: async () => {} }

/**
 * Makes a large index of a small one: chains that were decoded, resolved and inspected once are copied over and over, with other
 * hashes, later times and, for most accounts, other addresses. From there on they go the way of all batches: they are linked and
 * committed by the indexer's own stages. Where the database has some of it, it goes on from there.
 *
 * Hashes of copies cannot be computed from what they are hashes of, and sums over accounts that go on (the supply of a jetton, for
 * one) count each copy.
 */
export const growIndex = async (options: GrowOptions): Promise<Growth> => {
  const { database, chains, transactions, seed = 1, partitions, lease = unguarded, signal, onProgress } = options
  const layout = new CopyLayout(
    chains.map((chain) => new ChainTemplate(chain)),
    seed,
  )
  const partitionWidth =
    partitions === undefined ? PARTITION_WIDTH : Math.max(1, Math.ceil(layout.countBlocks(transactions) / partitions))
  const settings = { zeroState: layout.identity, partitionWidth, watchedAccounts: undefined }
  const store = createIndexStore(database, lease, settings)
  const [present] = (await store.load()).ranges
  const last = present?.last ?? 0
  let open = present?.open ?? NOTHING_OPEN
  let grown: Growth = { blocks: 0, transactions: 0, rounds: 0, added: 0 }
  for (const placed of layout.list()) {
    if (grown.transactions >= transactions || signal?.aborted) break
    const { copy, batch, lastSeqno } = placed
    const isNew = lastSeqno > last
    if (isNew) {
      const copied = copyBatch(batch, copy)
      const linked = linkBlockSets({ below: open, blockSets: copied.blockSets, above: undefined })
      await store.commit({ ...copied, linked }, lastSeqno - batch.blockSets.length === 0 ? 'new' : 'above')
      open = linked.open
    }
    grown = {
      blocks: lastSeqno,
      transactions: placed.transactions,
      rounds: copy.round + 1,
      added: grown.added + (isNew ? batch.transactions : 0),
    }
    if (isNew) onProgress?.(grown)
  }
  await fillMetadata(database)
  await vacuum(database)
  return grown
}

/** Readers are to find statistics and, in pages that nobody will change again, all rows visible. */
export const vacuum = async (database: GrowOptions['database']): Promise<void> => {
  const client = await database.openConnection('analyze')
  try {
    await client.query('SET statement_timeout TO 0')
    await client.query('VACUUM (ANALYZE)')
  } finally {
    await client.end()
  }
}
