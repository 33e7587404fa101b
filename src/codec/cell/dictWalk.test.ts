import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromBits, ordinary, type ReferenceCell, toBits, toCell } from '../../../test/support/referenceCell.ts'
import { wholeSlice } from './CellSlice.ts'
import { lookupDict, openRoot, type WalkOptions, walkDict } from './dictWalk.ts'
import { CellError } from './errors.ts'
import { recordVisited } from './visited.ts'

const node = (label: string, rest = '', refs: readonly ReferenceCell[] = []): ReferenceCell =>
  ordinary(`0${'1'.repeat(label.length)}0${label}${rest}`, refs)

// Keys 0000, 0101, 0110, 1011 of four bits; the value is the key again.
const right = node('011', '1011')
const left = node('', '', [node('00', '0000'), node('', '', [node('1', '0101'), node('0', '0110')])])
const root = toCell(node('', '', [left, right]))

const walk = (options?: WalkOptions): string[] => {
  const found: string[] = []
  walkDict(
    root,
    4,
    (key, leaf) => {
      const name = toBits(key).slice(0, 4)
      assert.equal(leaf.readUint(4), Number.parseInt(name, 2))
      leaf.expectEnd('A value')
      found.push(name)
      return undefined
    },
    options,
  )
  return found
}

test('leaves are visited in order, forwards and backwards, from any key', () => {
  const all = ['0000', '0101', '0110', '1011']
  assert.deepEqual(walk(), all)
  assert.deepEqual(walk({ reverse: true }), all.toReversed())
  for (let k = 0; k < 16; k++) {
    const after = k.toString(2).padStart(4, '0')
    assert.deepEqual(
      walk({ after: fromBits(after) }),
      all.filter((key) => key > after),
    )
    assert.deepEqual(walk({ after: fromBits(after), reverse: true }), all.filter((key) => key < after).toReversed())
  }
})

test('what lies wholly before the start is not entered', () => {
  const visited = recordVisited(() => walk({ after: fromBits('0111') }))
  assert.equal(visited.has(root), true)
  assert.equal(visited.has(root.ref(1)), true)
  assert.equal(visited.has(root.ref(0).ref(0)), false)
  const back = recordVisited(() => walk({ after: fromBits('1000'), reverse: true }))
  assert.equal(back.has(root.ref(0).ref(0)), true)
})

test('the visitor ends the walk with false and nothing else', () => {
  for (const [answer, count] of [
    [false, 1],
    [true, 4],
    [undefined, 4],
  ] as const) {
    let visits = 0
    walkDict(root, 4, () => {
      visits++
      return answer
    })
    assert.equal(visits, count)
  }
})

test('the number of nodes is limited', () => {
  const limit = (maxNodes: number) => () => walkDict(root, 4, () => true, { maxNodes })
  limit(7)()
  assert.throws(limit(6), new CellError('A dictionary has more than 6 nodes, the most that is read here.'))
})

test('a key is looked up along one path', () => {
  for (let k = 0; k < 16; k++) {
    const key = k.toString(2).padStart(4, '0')
    const isThere = ['0000', '0101', '0110', '1011'].includes(key)
    assert.equal(lookupDict(root, 4, fromBits(key))?.readUint(4), isThere ? k : undefined, key)
  }
  const visited = recordVisited(() => lookupDict(root, 4, fromBits('1011')))
  assert.deepEqual([visited.has(root), visited.has(root.ref(1)), visited.has(root.ref(0))], [true, true, false])
})

test('a root may be a slice', () => {
  assert.equal(lookupDict(wholeSlice(root), 4, fromBits('0101'))?.readUint(4), 5)
  assert.equal(openRoot(wholeSlice(root)).remainingRefs, 2)
  assert.equal(openRoot(root).remainingRefs, 2)
})
