import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase, silentLogger } from '../../../test/support/databaseServer.ts'
import { formatTable } from '../../../test/support/formatTable.ts'
import { median } from '../../../test/support/measure.ts'
import { noLease, sampleZeroState, toBatch } from '../../../test/support/sampleIndex/SampleIndexer.ts'
import { makeWorld, type SampleBlockSet } from '../../../test/support/sampleIndex/SampleWorld.ts'
import { toDecodedBlockSet } from '../../../test/support/sampleIndex/toDecodedBlockSet.ts'
import { connectDatabase } from '../../store/connect/connectDatabase.ts'
import type { Database } from '../../store/connect/Database.ts'
import { startEmbeddedServer } from '../../store/embedded/startEmbeddedServer.ts'
import { readIndexStatus, readStatus } from '../../store/maintenance/status.ts'
import { copyRows } from '../../store/writer/copyRows.ts'
import { ensurePartitions, readPartitionMap } from '../../store/writer/partitions.ts'
import type { IndexBatch } from '../IndexBatch.ts'
import { linkBlockSets, NOTHING_OPEN } from '../link/linkBlockSets.ts'
import { listAccountRows, newestRows } from './accounts.ts'
import { ContentCache, copyBlockSets, copyContents } from './copyBatch.ts'
import { IndexWriter } from './IndexWriter.ts'
import { loadIndexState, type Side } from './indexState.ts'
import { toFinishedRow, toOpenRow } from './traces.ts'

const BLOCK_SETS = 300
const TX_A_BLOCK = 100
const BATCH = 50
const ROUNDS = 3
const WIDTH = 1_000_000

type Step = { readonly batch: IndexBatch; readonly side: Side }

/** The batches of the world upwards, or the newest first. */
const makeSteps = (world: readonly SampleBlockSet[], direction: 'above' | 'below'): readonly Step[] => {
  const groups = Array.from({ length: BLOCK_SETS / BATCH }, (_, k) => world.slice(k * BATCH, (k + 1) * BATCH))
  if (direction === 'below') groups.reverse()
  let open = NOTHING_OPEN
  return groups.map((group, k) => {
    const blockSets = group.map(toDecodedBlockSet)
    const linked =
      direction === 'above'
        ? linkBlockSets({ below: open, blockSets, above: undefined })
        : linkBlockSets({ below: NOTHING_OPEN, blockSets, above: open })
    open = linked.open
    return { batch: toBatch(blockSets, linked), side: k === 0 ? 'new' : direction }
  })
}

/** The rows that are there in the end, by COPY alone, in one transaction. */
const copyAll = (database: Database, steps: readonly Step[]): Promise<void> =>
  database.transaction(async (client) => {
    const batches = steps.map(({ batch }) => batch)
    const blockSets = batches.flatMap((batch) => batch.blockSets)
    for (const batch of batches) await copyBlockSets(client, batch, new Date())
    await copyContents(client, new ContentCache().select(blockSets, await readPartitionMap(client)))
    await copyRows(
      client,
      'traces',
      batches.flatMap(({ linked }) => linked.finished.map(toFinishedRow)),
    )
    await copyRows(client, 'open_traces', batches.at(-1)!.linked.open.traces.map(toOpenRow))
    const resolved = batches.flatMap((batch) => batch.resolved)
    await copyRows(client, 'latest_account_states', listAccountRows({ blockSets, resolved }, undefined))
    const wallets = batches.flatMap(({ inspected }) => inspected.contracts.jetton_wallets)
    await copyRows(
      client,
      'jetton_wallets',
      newestRows(wallets, ({ address }) => address),
    )
  })

export const run = async (): Promise<Record<string, number>> => {
  const folder = mkdtempSync(join(tmpdir(), 'chaincenter-bench-'))
  const { signal } = new AbortController()
  const server = await startEmbeddedServer({ folder, logger: silentLogger, signal })
  const world = makeWorld({
    seed: 1,
    blockSets: BLOCK_SETS,
    width: TX_A_BLOCK,
    delays: [0, 0, 0, 1, 1, 2],
    sends: [0, 0, 0, 1, 1, 1, 2],
  })
  const transactions = world.flatMap((blockSet) => blockSet.transactions).length
  const rates: Record<string, number[]> = { above: [], below: [], copy: [] }
  let bytesPerTx = 0
  try {
    for (let round = 0; round < ROUNDS; round++) {
      for (const kind of ['above', 'below', 'copy'] as const) {
        const { url, drop } = await createTestDatabase(server.url, 'migrated')
        const database = await connectDatabase({ url, logger: silentLogger, signal })
        await loadIndexState(database, {
          zeroState: sampleZeroState,
          partitionWidth: WIDTH,
          watchedAccounts: undefined,
        })
        await ensurePartitions(database, [0], WIDTH)
        const steps = makeSteps(world, kind === 'below' ? 'below' : 'above')
        const writer = new IndexWriter({ database, lease: noLease, partitionWidth: WIDTH })
        globalThis.gc?.()
        const start = performance.now()
        if (kind === 'copy') await copyAll(database, steps)
        else for (const { batch, side } of steps) await writer.commit(batch, side)
        rates[kind]!.push((transactions / (performance.now() - start)) * 1000)
        if (kind === 'below') {
          const { tables } = await database.transaction(readStatus)
          const index = await database.transaction((client) => readIndexStatus(client, tables))
          bytesPerTx = index?.bytesPerTransaction ?? Number.NaN
        }
        await database.close()
        await drop()
      }
    }
    console.log(
      formatTable(Object.entries(rates).map(([way, list]) => ({ way, 'tx per second': Math.round(median(list)) }))),
    )
    return {
      transactions,
      live_tx_per_s: Math.round(median(rates['above']!)),
      backfill_tx_per_s: Math.round(median(rates['below']!)),
      copy_tx_per_s: Math.round(median(rates['copy']!)),
      live_to_copy: median(rates['above']!) / median(rates['copy']!),
      backfill_to_copy: median(rates['below']!) / median(rates['copy']!),
      bytes_per_tx: Math.round(bytesPerTx),
    }
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
