import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TransactionRow } from '../../store/reader/TransactionRecord.ts'
import { textOf } from '../core/json/stringifyJson.ts'
import { type SentMessage, TransactionTexts } from './TransactionTexts.ts'

const bytes = (length: number, seed: number): Uint8Array =>
  Uint8Array.from({ length }, (_, k) => Math.imul(seed * 1000 + k, 0x9e3779b1) >>> 24)

/** Nothing else of a row is looked at. */
const rowOf = (seed: number, traceSeed = seed): TransactionRow =>
  ({ hash: bytes(32, seed), trace_id: bytes(32, traceSeed), mc_seqno: seed }) as unknown as TransactionRow

const utf8 = (text: string): Uint8Array => Buffer.from(text)

const findText = (texts: TransactionTexts, row: TransactionRow): string | undefined => {
  const found = texts.find(row)
  return found && textOf(found.json)
}

/** Views of a buffer are not equal to arrays of the same bytes. */
const plain = ({ hash, destination }: SentMessage): SentMessage => ({
  hash: Uint8Array.from(hash),
  destination: destination && Uint8Array.from(destination),
})

const free = { text: 0, steps: 0, body: 0 }

test('texts come back as they were, whatever their characters, with the messages that were sent', () => {
  const texts = new TransactionTexts(200_000)
  const kept = ['{"a":1}', '{"комментарий":"привет 🎉"}', 'x'.repeat(20_000), '{}'].map((text, k) => ({
    row: rowOf(k + 1),
    json: utf8(text),
    outMessages: Array.from({ length: k }, (_, j) => ({
      hash: bytes(32, 100 * k + j),
      destination: j === 1 ? undefined : bytes(33, 200 * k + j),
    })),
    cost: { text: k, steps: 2 * k, body: 3 * k },
  }))
  for (const { row, ...entry } of kept) texts.set(row, entry)
  for (const { row, json, outMessages, cost } of kept) {
    const found = texts.find(row)!
    assert.deepEqual(Buffer.from(found.json), json)
    assert.deepEqual(found.outMessages.map(plain), outMessages)
    assert.deepEqual(found.cost, cost)
  }
})

test('the oldest make room, and what is found was not overwritten', () => {
  const texts = new TransactionTexts(10_000)
  const textFor = (seed: number): string => String.fromCharCode(97 + (seed % 26)).repeat(1 + ((seed * 7919) % 1500))
  for (let seed = 1; seed <= 2000; seed++) {
    texts.set(rowOf(seed), { json: utf8(textFor(seed)), outMessages: [], cost: free })
    assert.equal(findText(texts, rowOf(seed)), textFor(seed))
    let bytesFound = 0
    for (let other = Math.max(1, seed - 100); other <= seed; other++) {
      const found = findText(texts, rowOf(other))
      if (found === undefined) continue
      assert.equal(found, textFor(other))
      bytesFound += found.length + 32
    }
    assert.ok(bytesFound <= 10_000)
    // No more is lost than what the newest needs, and the end of the ring.
    if (seed > 100) assert.ok(bytesFound > 10_000 - 4 * 1532)
  }
})

test('a transaction that got into another trace or block is not found, nor one whose text is too long', () => {
  const texts = new TransactionTexts(200_000)
  const row = rowOf(1)
  texts.set(row, { json: utf8('{}'), outMessages: [], cost: free })
  assert.equal(findText(texts, row), '{}')
  assert.equal(texts.find(rowOf(1, 2)), undefined)
  assert.equal(texts.find({ ...row, mc_seqno: 7 }), undefined)
  texts.set(row, { json: utf8('x'.repeat(140_000)), outMessages: [], cost: free })
  assert.equal(texts.find(row), undefined)
})

test('a transaction was seen from the second time on', () => {
  const texts = new TransactionTexts(1000)
  assert.deepEqual(
    [rowOf(1), rowOf(2), rowOf(1), rowOf(2)].map((row) => texts.wasSeen(row)),
    [false, false, true, true],
  )
})
