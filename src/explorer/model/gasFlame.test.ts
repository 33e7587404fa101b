import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildFlame, findFlame, layoutFlame } from './gasFlame.ts'

const cell = { cell: `${'q'.repeat(43)}=`, offset: 16 }

const stacks = [
  { frames: [{ method: 0 }], gas: 100, steps: 5 },
  { frames: [{ method: 0 }, { method: 85143 }], gas: 50, steps: 2 },
  { frames: [{ method: 0 }, cell], gas: 200, steps: 2 },
  { frames: [{ method: 0 }, cell, { method: 85143 }], gas: 49, steps: 2 },
  { frames: [{ method: 0 }, { method: 7 }], gas: 1, steps: 1 },
]

test('folded stacks make a tree with gas of its own and with calls', () => {
  const root = buildFlame(stacks)
  assert.deepEqual([root.gas, root.self, root.children.length], [400, 0, 1])
  const [entry] = root.children
  assert.deepEqual([entry!.name, entry!.gas, entry!.self], ['recv_internal', 400, 100])
  assert.deepEqual(
    entry!.children.map(({ name, gas, self }) => [name, gas, self]),
    [
      ['aaaaaaaa:16', 249, 200],
      ['seqno', 50, 50],
      ['method_7', 1, 1],
    ],
  )
  assert.equal(findFlame(root, '/all/recv_internal/aaaaaaaa:16/seqno')!.gas, 49)
  assert.equal(findFlame(root, '/all/none'), undefined)
})

test('bars stand below their callers, side by side, and narrow ones are left out', () => {
  const bars = layoutFlame(buildFlame([...stacks, { frames: [{ method: 0 }, { method: 8 }], gas: 0.5, steps: 1 }]))
  assert.deepEqual(
    bars.map(({ node, depth, x, width }) => [node.name, depth, Number(x.toFixed(2)), Number(width.toFixed(2))]),
    [
      ['all', 0, 0, 1],
      ['recv_internal', 1, 0, 1],
      ['aaaaaaaa:16', 2, 0, 0.62],
      ['seqno', 2, 0.62, 0.12],
      ['method_7', 2, 0.75, 0],
      ['seqno', 3, 0, 0.12],
    ],
  )
  assert.deepEqual(layoutFlame(buildFlame([])), [])
})
