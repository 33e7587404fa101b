import assert from 'node:assert/strict'
import { test } from 'node:test'
import { haveDatabase, openFreshDatabase } from '../../../test/support/database.ts'
import { listLocalnetBlockSets } from '../../../test/support/rawBlockSets.ts'
import { assertSameIndex } from '../../../test/support/sampleIndex/assertSameIndex.ts'
import { dumpIndex } from '../../../test/support/sampleIndex/dumpIndex.ts'
import { noContracts, noLease, sampleZeroState } from '../../../test/support/sampleIndex/SampleIndexer.ts'
import type { Database } from '../../store/connect/Database.ts'
import { rewindIndex } from '../../store/maintenance/rewindIndex.ts'
import type { DecodedBlockSet } from '../blockSets.ts'
import { IndexWriter } from '../commit/IndexWriter.ts'
import { loadIndexState } from '../commit/indexState.ts'
import { loadOpenTraces } from '../commit/traces.ts'
import { decodeBlockSet } from '../decode/decodeBlockSet.ts'
import { linkBlockSets, NOTHING_OPEN } from '../link/linkBlockSets.ts'
import { repairBlockSet } from './repairBlockSet.ts'
import { type Finding, verifyRange } from './verifyRange.ts'

const WIDTH = 100
const { signal } = new AbortController()

const raw = new Map<number, ReturnType<typeof listLocalnetBlockSets>[number]>()

const unitsOf = (first: number, last: number): DecodedBlockSet[] =>
  Array.from({ length: last - first + 1 }, (_, k) => decodeBlockSet(raw.get(first + k)!))

const index = async (database: Database, writer: IndexWriter, first: number, last: number): Promise<void> => {
  const { ranges } = await loadIndexState(database, {
    zeroState: sampleZeroState,
    partitionWidth: WIDTH,
    watchedAccounts: undefined,
  })
  const below = ranges.find(({ lastSeqno }) => lastSeqno === first - 1)
  const above = ranges.find(({ firstSeqno }) => firstSeqno === last + 1)
  const [openBelow, openAbove] = await database.transaction(async (client) => [
    below && (await loadOpenTraces(client, below)),
    above && (await loadOpenTraces(client, above)),
  ])
  const blockSets = unitsOf(first, last)
  const linked = linkBlockSets({ below: openBelow ?? NOTHING_OPEN, blockSets, above: openAbove })
  const side = below !== undefined ? 'above' : above !== undefined ? 'below' : 'new'
  await writer.commit({ blockSets, linked, resolved: [], inspected: noContracts }, side)
}

test('the recorded network, newest first, is what was decoded, and stays so through a rewind and a repair', async (t) => {
  if (!haveDatabase(t)) return
  for (const blockSet of listLocalnetBlockSets()) raw.set(blockSet.seqno, blockSet)
  const last = Math.max(...raw.keys())
  const database = await openFreshDatabase(t)
  const writer = new IndexWriter({ database, lease: noLease, partitionWidth: WIDTH })
  const middle = Math.floor(last / 2)
  await index(database, writer, middle, middle + 20)
  for (let at = middle - 1; at >= 1; at -= 40) await index(database, writer, Math.max(1, at - 39), at)
  for (let at = middle + 21; at <= last; at += 40) await index(database, writer, at, Math.min(last, at + 39))
  const findings: Finding[] = []
  const verify = () =>
    verifyRange(database, {
      firstSeqno: 1,
      lastSeqno: last,
      fetchBlockSet: async (seqno) => unitsOf(seqno, seqno)[0]!,
      signal,
      onFinding: (finding) => findings.push(finding),
    })
  const result = await verify()
  assert.deepEqual(findings, [])
  const transactions = unitsOf(1, last).reduce((sum, blockSet) => sum + blockSet.transactions.count, 0)
  assert.deepEqual(result, { blocks: last, transactions, findings: 0 })
  t.diagnostic(`${last} masterchain blocks, ${transactions} transactions`)

  const whole = await dumpIndex(database)
  await rewindIndex(database, middle - 7, noLease)
  writer.forget()
  for (let at = middle - 6; at <= last; at += 50) await index(database, writer, at, Math.min(last, at + 49))
  assertSameIndex(await dumpIndex(database), whole)

  const busiest = unitsOf(1, last).reduce((a, b) => (b.transactions.count > a.transactions.count ? b : a)).seqno
  await database.transaction((client) => client.query('DELETE FROM transactions WHERE mc_seqno = $1', [busiest]))
  await verify()
  assert.ok(findings.some(({ seqno, fault }) => seqno === busiest && fault === 'rows_changed'))
  await repairBlockSet(database, unitsOf(busiest, busiest)[0]!, noLease)
  findings.length = 0
  await verify()
  assert.deepEqual(findings, [])
  assertSameIndex(await dumpIndex(database), whole)
})
