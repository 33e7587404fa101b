import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TransactionRow } from '../../store/reader/TransactionRecord.ts'
import { TransactionTexts } from './TransactionTexts.ts'

const bytes = (length: number, seed: number): Uint8Array =>
  Uint8Array.from({ length }, (_, k) => Math.imul(seed * 1000 + k, 0x9e3779b1) >>> 24)

/** Nothing else of a row is looked at. */
const rowOf = (seed: number, traceSeed = seed): TransactionRow =>
  ({ hash: bytes(32, seed), trace_id: bytes(32, traceSeed), mc_seqno: seed }) as unknown as TransactionRow

const free = { text: 0, steps: 0, body: 0 }

test('texts come back as they were, whatever their characters, with the messages that were sent', () => {
  const texts = new TransactionTexts(200_000)
  const kept = ['{"a":1}', '{"комментарий":"привет 🎉"}', 'x'.repeat(20_000), '{}'].map((text, k) => ({
    row: rowOf(k + 1),
    text,
    outMessages: Array.from({ length: k }, (_, j) => ({
      hash: bytes(32, 100 * k + j),
      destination: j === 1 ? undefined : bytes(33, 200 * k + j),
    })),
    cost: { text: k, steps: 2 * k, body: 3 * k },
  }))
  for (const { row, ...text } of kept) texts.set(row, text)
  for (const { row, ...text } of kept) assert.deepEqual(texts.find(row), text)
})

test('the oldest make room, and what is found was not overwritten', () => {
  const texts = new TransactionTexts(10_000)
  const textOf = (seed: number): string => String.fromCharCode(97 + (seed % 26)).repeat(1 + ((seed * 7919) % 1500))
  for (let seed = 1; seed <= 2000; seed++) {
    texts.set(rowOf(seed), { text: textOf(seed), outMessages: [], cost: free })
    assert.equal(texts.find(rowOf(seed))?.text, textOf(seed))
    let bytesFound = 0
    for (let other = Math.max(1, seed - 100); other <= seed; other++) {
      const found = texts.find(rowOf(other))
      if (found === undefined) continue
      assert.equal(found.text, textOf(other))
      bytesFound += found.text.length + 32
    }
    assert.ok(bytesFound <= 10_000)
    // No more is lost than what the newest needs, and the end of the ring.
    if (seed > 100) assert.ok(bytesFound > 10_000 - 4 * 1532)
  }
})

test('a transaction that got into another trace or block is not found, nor one whose text is too long', () => {
  const texts = new TransactionTexts(200_000)
  const row = rowOf(1)
  texts.set(row, { text: '{}', outMessages: [], cost: free })
  assert.equal(texts.find(row)?.text, '{}')
  assert.equal(texts.find(rowOf(1, 2)), undefined)
  assert.equal(texts.find({ ...row, mc_seqno: 7 }), undefined)
  texts.set(row, { text: 'x'.repeat(140_000), outMessages: [], cost: free })
  assert.equal(texts.find(row), undefined)
})

test('a transaction was seen from the second time on', () => {
  const texts = new TransactionTexts(1000)
  assert.deepEqual(
    [rowOf(1), rowOf(2), rowOf(1), rowOf(2)].map((row) => texts.wasSeen(row)),
    [false, false, true, true],
  )
})
