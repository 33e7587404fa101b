import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildCodeTree } from './codeTree.ts'

test('what an instruction contains and the cell that code goes on in are folded below their lines', () => {
  const tree = buildCodeTree(['0: PUSHINT 1', '8: PUSHCONT', '  16: NOP', '  24: → x', '32: IF', '→ cell ab', '0: RET'])
  const leaf = (offset: string, text: string) => ({ offset, text, children: [] })
  assert.deepEqual(tree, [
    leaf('0', 'PUSHINT 1'),
    { offset: '8', text: 'PUSHCONT', children: [leaf('16', 'NOP'), leaf('24', '→ x')] },
    leaf('32', 'IF'),
    { offset: '', text: '→ cell ab', children: [leaf('0', 'RET')] },
  ])
})

test('cells inside a continuation end with it', () => {
  const tree = buildCodeTree(['0: PUSHCONT', '  → cell ab', '  0: NOP', '8: RET', '…'])
  assert.deepEqual(
    tree.map(({ text, children }) => [text, children.length]),
    [
      ['PUSHCONT', 1],
      ['RET', 0],
      ['…', 0],
    ],
  )
  assert.equal(tree[0]!.children[0]!.children[0]!.text, 'NOP')
})
