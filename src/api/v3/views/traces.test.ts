import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toBase64 } from '../../../primitives/base64.ts'
import type { MessageRecord } from '../../../store/reader/TransactionRecord.ts'
import { stringifyJson } from '../../core/json/stringifyJson.ts'
import { toTraceParts, toTraceTree } from './traces.ts'

const hash = (n: number): Uint8Array => new Uint8Array(32).fill(n & 0xff).fill(n >> 8, 0, 4)
const message = (n: number): MessageRecord => ({ hash: hash(n) }) as MessageRecord
const transaction = (n: number, received: number | undefined, ...sent: readonly number[]) => ({
  hash: hash(n),
  inMessage: received === undefined ? undefined : message(received),
  outMessages: sent.map(message),
})
const text = (n: number): string => Buffer.from(hash(n)).toString('base64')

test('a transaction hangs under the one that sent its message', () => {
  const { root, warning } = toTraceTree([transaction(1, 10, 11, 12), transaction(2, 11, 13), transaction(3, 12)])
  assert.equal(warning, undefined)
  assert.deepEqual(root, {
    tx_hash: text(1),
    in_msg_hash: text(10),
    children: [
      { tx_hash: text(2), in_msg_hash: text(11), children: [] },
      { tx_hash: text(3), in_msg_hash: text(12), children: [] },
    ],
  })
  const { root: alone } = toTraceTree([transaction(1, undefined)])
  assert.equal(stringifyJson(alone), stringifyJson({ tx_hash: text(1), children: [] }))
})

test('what hangs nowhere is told', () => {
  const { root, warning } = toTraceTree([transaction(2, 11, 13), transaction(3, 12), transaction(4, 13)])
  assert.equal(warning, 'missing node in trace found')
  assert.deepEqual([root?.tx_hash, root?.children.length], [text(2), 1])
  assert.deepEqual(toTraceTree([]), { root: undefined, warning: undefined })
})

test('the tree is written as its objects would be, and a trace may be as deep as it is long', () => {
  const bushes = [
    [transaction(1, undefined)],
    [transaction(1, 10, 11, 12), transaction(2, 11, 13), transaction(3, 12), transaction(4, 13)],
    [transaction(2, 11, 13, 14, 15), transaction(3, 12), transaction(4, 15), transaction(5, 13)],
    [],
  ]
  for (const transactions of bushes) {
    const { trace, transactions_order } = toTraceParts(transactions, [])
    assert.equal(stringifyJson({ trace }), stringifyJson({ trace: toTraceTree(transactions).root }))
    assert.equal(stringifyJson(transactions_order), JSON.stringify(transactions.map(({ hash: own }) => toBase64(own))))
  }
  const chain = Array.from({ length: 4000 }, (_, k) => transaction(k, k + 5000, k + 5001))
  const json = stringifyJson(toTraceTree(chain).root)
  assert.equal(json.split('"children"').length, 4001)
  assert.ok(json.endsWith(`${']}'.repeat(4000)}`))
  assert.equal(stringifyJson(toTraceParts(chain, []).trace), json)
})
