import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Cell } from '../../../codec/cell/Cell.ts'
import { CellWriter, emptyCell } from '../../../codec/cell/CellWriter.ts'
import { decodeSingleBoc } from '../../../codec/cell/decodeBoc.ts'
import { encodeBoc } from '../../../codec/cell/encodeBoc.ts'
import type { VmValue } from '../../../codec/tlb/VmValue.ts'
import { stringifyJson } from '../../core/json/stringifyJson.ts'
import { toLegacyStack, toTypedStack } from './stacks.ts'

const int = (value: number): VmValue => ({ kind: 'int', value: BigInt(value) })
const tuple = (items: readonly VmValue[]): VmValue => ({ kind: 'tuple', items: [...items] })
const ints = Array.from({ length: 700 }, (_, k) => int(k))

/** A chain of cells in one arena, with two references to each. */
const chain = (length: number): Cell => {
  let cell = emptyCell
  for (let k = 0; k < length; k++) cell = new CellWriter().writeUint(k, 32).writeRef(cell).writeRef(emptyCell).toCell()
  return decodeSingleBoc(encodeBoc([cell]))
}

const list = (items: readonly VmValue[]): VmValue =>
  items.reduceRight<VmValue>((rest, item) => tuple([item, rest]), { kind: 'null' })

const read = async (view: Promise<unknown>) => JSON.parse(stringifyJson(await view))

test('a stack with many values is shown like one with few', async () => {
  const large = [tuple(ints), list(ints), int(-1), { kind: 'null' } as const, tuple([tuple(ints), int(5)]), ...ints]
  const few = await Promise.all(ints.map((value) => read(toTypedStack([value]))))
  const elements = few.flat()
  const [first, second, third, fourth, fifth, ...rest] = await read(toTypedStack(large))
  assert.deepEqual(first, { '@type': 'tvm.stackEntryTuple', tuple: { '@type': 'tvm.tuple', elements } })
  assert.deepEqual(second, { '@type': 'tvm.stackEntryList', list: { '@type': 'tvm.list', elements } })
  assert.deepEqual([third, fourth], await read(toTypedStack([int(-1), { kind: 'null' }])))
  assert.deepEqual(fifth.tuple.elements, [first, elements[5]])
  assert.deepEqual(rest, elements)
  const legacy = await read(toLegacyStack(large))
  assert.deepEqual(legacy[0], ['tuple', { '@type': 'tvm.tuple', elements }])
  assert.deepEqual(legacy[1], ['list', { '@type': 'tvm.list', elements }])
  assert.deepEqual(legacy[2], ['num', '-0x1'])
  assert.deepEqual(legacy.at(-1), ['num', '0x2bb'])
})

test('callers who ask for a large stack at the same time share its text', async () => {
  const large = [tuple(ints), tuple(ints)]
  const [first, second] = await Promise.all([toLegacyStack(large), toLegacyStack(large)])
  assert.equal(first, second)
  const later = await toLegacyStack(large)
  assert.notEqual(later, first)
  assert.equal(stringifyJson(later), stringifyJson(first))
  const deep = [...Array(200)].reduce<VmValue>((value) => tuple([value, ...ints.slice(0, 5)]), int(1))
  for (const result of await Promise.allSettled([toTypedStack([deep]), toTypedStack([deep])])) {
    assert.equal(result.status, 'rejected')
  }
})

test('a large cell is expanded like a small one', async () => {
  const cell = chain(200)
  const [[, { object }]] = await read(toLegacyStack([{ kind: 'cell', cell }]))
  let [shown, at] = [object, cell]
  while (at.refCount > 0) {
    const leaf = { data: { b64: '', len: 0 }, refs: [], special: false }
    assert.equal(shown.data.len, 32)
    assert.deepEqual([shown.special, shown.refs.length, shown.refs[1]], [false, 2, leaf])
    const [[, small]] = at.refCount === 2 ? await read(toLegacyStack([{ kind: 'cell', cell: at }])) : [[]]
    assert.deepEqual(small.object, shown)
    ;[shown, at] = [shown.refs[0], at.ref(0)]
  }
})
