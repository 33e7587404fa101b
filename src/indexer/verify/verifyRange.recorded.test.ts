import assert from 'node:assert/strict'
import { test } from 'node:test'
import { haveDatabase, openFreshDatabase } from '../../../test/support/database.ts'
import { listLocalnetUnits } from '../../../test/support/rawUnits.ts'
import { assertSameIndex } from '../../../test/support/sampleIndex/assertSameIndex.ts'
import { dumpIndex } from '../../../test/support/sampleIndex/dumpIndex.ts'
import { noContracts, noLease, sampleZeroState } from '../../../test/support/sampleIndex/SampleIndexer.ts'
import type { Database } from '../../store/connect/Database.ts'
import { rewindIndex } from '../../store/maintenance/rewindIndex.ts'
import type { DecodedUnit } from '../blockSets.ts'
import { IndexWriter } from '../commit/IndexWriter.ts'
import { loadIndexState } from '../commit/indexState.ts'
import { loadOpenTraces } from '../commit/traces.ts'
import { decodeUnit } from '../decode/decodeBlockSet.ts'
import { linkUnits, NOTHING_OPEN } from '../link/linkBlockSets.ts'
import { repairUnit } from './repairBlockSet.ts'
import { type Finding, verifyRange } from './verifyRange.ts'

const WIDTH = 100
const { signal } = new AbortController()

const raw = new Map<number, ReturnType<typeof listLocalnetUnits>[number]>()

const unitsOf = (first: number, last: number): DecodedUnit[] =>
  Array.from({ length: last - first + 1 }, (_, k) => decodeUnit(raw.get(first + k)!))

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
  const units = unitsOf(first, last)
  const linked = linkUnits({ below: openBelow ?? NOTHING_OPEN, units, above: openAbove })
  const side = below !== undefined ? 'above' : above !== undefined ? 'below' : 'new'
  await writer.commit({ units, linked, resolved: [], inspected: noContracts }, side)
}

test('the recorded network, newest first, is what was decoded, and stays so through a rewind and a repair', async (t) => {
  if (!haveDatabase(t)) return
  for (const unit of listLocalnetUnits()) raw.set(unit.seqno, unit)
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
      fetchUnit: async (seqno) => unitsOf(seqno, seqno)[0]!,
      signal,
      onFinding: (finding) => findings.push(finding),
    })
  const result = await verify()
  assert.deepEqual(findings, [])
  const transactions = unitsOf(1, last).reduce((sum, unit) => sum + unit.transactions.count, 0)
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
  await repairUnit(database, unitsOf(busiest, busiest)[0]!, noLease)
  findings.length = 0
  await verify()
  assert.deepEqual(findings, [])
  assertSameIndex(await dumpIndex(database), whole)
})
