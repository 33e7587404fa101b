import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TransactionView } from '../../api/v3/views/transactions.ts'
import { layoutNarrow, layoutWide, listNodes, NODE_HEIGHT, treeOfTransactions } from './traceTree.ts'

type Sent = readonly [hash: string, to: string | null]

/** Only what a tree is made of. */
const transaction = (hash: string, lt: number, received: string, sent: readonly Sent[]): TransactionView =>
  ({
    hash,
    lt: String(lt),
    account: `account of ${hash}`,
    in_msg: { hash: received },
    out_msgs: sent.map(([message, destination], index) => ({
      hash: message,
      destination,
      created_lt: String(lt + 1 + index),
    })),
  }) as unknown as TransactionView

const root = transaction('A', 1, 'outside', [
  ['a1', 'B'],
  ['log', null],
  ['a2', 'C'],
  ['a3', 'D'],
])
const all = [transaction('C', 12, 'a2', []), transaction('B', 10, 'a1', [['b1', 'A']]), root]

test('transactions become a tree, whatever their order; messages that nobody took wait', () => {
  const tree = treeOfTransactions(all)!
  assert.deepEqual(
    listNodes(tree).map(({ path, account, transaction: taken }) => [path, account, taken?.hash]),
    [
      ['0', 'account of A', 'A'],
      ['0.0', 'account of B', 'B'],
      ['0.0.0', 'A', undefined],
      ['0.2', 'account of C', 'C'],
      ['0.3', 'D', undefined],
    ],
  )
  // The paths of those that were there stay when more comes.
  const more = treeOfTransactions([...all, transaction('D', 14, 'a3', [])])!
  assert.deepEqual(
    listNodes(more).map(({ path }) => path),
    listNodes(tree).map(({ path }) => path),
  )
  assert.equal(treeOfTransactions([]), undefined)
})

test('no two cards overlap, in columns or one below the other', () => {
  const tree = treeOfTransactions(all)!
  for (const { nodes, width, height } of [layoutWide(tree), layoutNarrow(tree, 320)]) {
    for (const one of nodes) {
      assert.ok(one.x >= 0 && one.y >= 0 && one.x + one.width <= width && one.y + NODE_HEIGHT <= height)
      for (const other of nodes) {
        if (other === one) continue
        const isApart = Math.abs(one.y - other.y) >= NODE_HEIGHT || Math.abs(one.x - other.x) >= one.width
        assert.ok(isApart, `${one.node.path} and ${other.node.path}`)
      }
    }
  }
})
