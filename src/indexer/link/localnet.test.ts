import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readFixture, readFixtureJson } from '../../../test/support/fixtures.ts'
import type { MessageKind, PlainTransaction } from '../../../test/support/traces/PlainTransaction.ts'
import { rebuildTraces } from '../../../test/support/traces/rebuildTraces.ts'
import { TraceLedger } from '../../../test/support/traces/TraceLedger.ts'
import { addressKeyOf, parseAddress } from '../../primitives/Address.ts'
import { fromHex } from '../../primitives/hex.ts'

type RecordedMessage = {
  readonly type: 'internal' | 'external-in' | 'external-out'
  readonly hash: string
  readonly src: string | null
  readonly created_lt: string
}
type RecordedTransaction = {
  readonly block: string
  readonly account: string
  readonly lt: string
  readonly now: number
  readonly hash: string
  readonly in_msg?: RecordedMessage
  readonly out_msgs: readonly RecordedMessage[]
}
type RecordedBlocks = {
  readonly blocks: readonly { readonly file: string; readonly start_lt: string; readonly masterchain_seqno: number }[]
}

const LAST = 400
const KINDS = { internal: 'internal', 'external-in': 'externalIn', 'external-out': 'externalOut' } as const
const SYSTEM = `-1:${'0'.repeat(64)}`

const readTransactions = (): PlainTransaction[] => {
  const { blocks } = readFixtureJson<RecordedBlocks>('localnet/blocks/index.json')
  const byName = new Map(blocks.map((block) => [block.file.replace('.boc', ''), block]))
  const lines = new TextDecoder().decode(readFixture('localnet/transactions.jsonl')).trimEnd().split('\n')
  return lines.map((line) => {
    const tx = JSON.parse(line) as RecordedTransaction
    const block = byName.get(tx.block)!
    const kindOf = ({ type, src, created_lt }: RecordedMessage): MessageKind =>
      src === SYSTEM && created_lt === block.start_lt ? 'system' : KINDS[type]
    return {
      seqno: block.masterchain_seqno,
      lt: BigInt(tx.lt),
      now: tx.now,
      hash: fromHex(tx.hash, 32),
      account: addressKeyOf(parseAddress(tx.account)),
      received: tx.in_msg && { kind: kindOf(tx.in_msg), hash: fromHex(tx.in_msg.hash, 32) },
      sent: tx.out_msgs.map((sent) => ({
        kind: KINDS[sent.type],
        hash: fromHex(sent.hash, 32),
        lt: BigInt(sent.created_lt),
      })),
    }
  })
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)

test('the recorded chain has the same traces forwards, newest first, and built from their roots', (t) => {
  const transactions = readTransactions()
  const expected = rebuildTraces(transactions)

  const whole = new TraceLedger(transactions)
  assert.deepEqual(whole.index(1, LAST).state, expected)

  const live = new TraceLedger(transactions)
  for (let seqno = 1; seqno <= LAST; seqno++) live.index(seqno, seqno)
  assert.deepEqual(live.ranges[0]?.state, expected)

  const newestFirst = new TraceLedger(transactions)
  for (let seqno = 300; seqno <= LAST; seqno++) newestFirst.index(seqno, seqno)
  for (let last = 299; last >= 1; last -= 7) newestFirst.index(Math.max(1, last - 6), last)
  assert.deepEqual(newestFirst.ranges[0]?.state, expected)

  // From the counts of the recording alone: 1600 transactions without a message, 184 external messages, 401 of the blocks
  // themselves; 1750 internal messages, all of them received, and 498 that left.
  const traces = Object.values(expected.finished)
  assert.equal(traces.length, 1600 + 184 + 401)
  assert.equal(sum(traces.map(({ transactions: count }) => count)), 3935)
  assert.equal(sum(traces.map(({ messages }) => messages)), 184 + 401 + 1750 + 498)
  assert.deepEqual([expected.open, expected.underWay], [{}, {}])
  assert.equal(Object.keys(expected.unreceived).length, 498)
  const longest = Math.max(...traces.map(({ startSeqno, endSeqno }) => endSeqno - startSeqno + 1))
  const largest = Math.max(...traces.map(({ transactions: count }) => count))
  const { renames } = newestFirst
  t.diagnostic(
    `${traces.length} traces; up to ${largest} transactions over ${longest} blocks; ${renames} orphans found`,
  )
  assert.ok(renames > 0)
})
