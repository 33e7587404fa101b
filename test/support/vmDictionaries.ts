import type { Cell } from '../../src/codec/cell/Cell.ts'
import { Builder } from '../../src/tvm/machine/values.ts'
import { bitsOf, codeOf, type DictValues, type ValueMaker } from './vmOperands.ts'

type Entry = { readonly key: string; readonly value: Builder }

/** A dictionary with a few random entries; their keys are added to `keys`. */
export const makeDictionary = (
  maker: ValueMaker,
  keyBits: number,
  values: DictValues,
  keys?: string[],
): Cell | null => {
  const { random } = maker
  const wanted = keyBits === 0 ? 1 : Math.min(2 ** Math.min(keyBits, 10), 1 + random.below(7))
  const stem = maker.chance(0.3) ? maker.bitText(random.below(keyBits + 1)) : ''
  const all = new Set<string>()
  for (let tries = 0; all.size < wanted && tries < 20; tries++)
    all.add((stem + maker.bitText(keyBits)).slice(0, keyBits))
  keys?.push(...all)
  const entries = [...all].toSorted().map((key) => ({ key, value: makeValue(maker, values) }))
  return buildNode(maker, entries, 0, keyBits)
}

const makeValue = (maker: ValueMaker, values: DictValues): Builder => {
  if (values === 'ref') return Builder.empty.withRef(maker.cell(2))
  if (values === 'code')
    return Builder.empty.withBytes(Buffer.from(maker.random.pick(['', '71', 'a4', '30', 'f230', '7172']), 'hex'))
  const value = maker.bits(maker.random.below(60))
  return maker.chance(0.2) ? value.withRef(maker.cell(3)) : value
}

const buildNode = (maker: ValueMaker, entries: readonly Entry[], at: number, end: number): Cell => {
  const first = entries[0]!.key
  const last = entries.at(-1)!.key
  let shared = at
  while (shared < end && first[shared] === last[shared]) shared++
  const node = writeLabel(maker, first.slice(at, shared), end - at)
  if (shared === end) {
    const { value } = entries[0]!
    return (node.hasRoom(value.bits, value.refs.length) ? node.withBuilder(value) : node).toCell()
  }
  const right = entries.findIndex(({ key }) => key[shared] === '1')
  return node
    .withRef(buildNode(maker, entries.slice(0, right), shared + 1, end))
    .withRef(buildNode(maker, entries.slice(right), shared + 1, end))
    .toCell()
}

/** hml_short$0, hml_long$10 or hml_same$11: nearly always the shortest. */
const writeLabel = (maker: ValueMaker, label: string, max: number): Builder => {
  const lengthBits = 32 - Math.clz32(max)
  const { length } = label
  const forms: { readonly size: number; write(): Builder }[] = [
    {
      size: 2 + 2 * length,
      write: () => Builder.empty.withInteger(0, 1).withSame(1, length).withInteger(0, 1).withBuilder(bitsOf(label)),
    },
    {
      size: 2 + lengthBits + length,
      write: () => Builder.empty.withInteger(2, 2).withInteger(length, lengthBits).withBuilder(bitsOf(label)),
    },
  ]
  if (!label.includes('0') || !label.includes('1')) {
    const bit = label.startsWith('1') ? 1 : 0
    forms.push({
      size: 3 + lengthBits,
      write: () => Builder.empty.withInteger(3, 2).withInteger(bit, 1).withInteger(length, lengthBits),
    })
  }
  const fitting = forms.filter(({ size }) => size < 900)
  const shortest = fitting.reduce((a, b) => (b.size < a.size ? b : a))
  return (maker.chance(0.97) ? shortest : maker.random.pick(fitting)).write()
}

/** Of keys none of which begins with another. */
export const makePrefixDictionary = (maker: ValueMaker, keyBits: number, keys?: string[]): Cell | null => {
  const { random } = maker
  const all: string[] = []
  for (let tries = 0; tries < 6; tries++) {
    const key = maker.bitText(random.below(Math.min(keyBits, 40) + 1))
    if (all.every((other) => !other.startsWith(key) && !key.startsWith(other))) all.push(key)
  }
  keys?.push(...all)
  return buildPrefixNode(maker, all.toSorted(), 0, keyBits)
}

const buildPrefixNode = (maker: ValueMaker, keys: readonly string[], at: number, max: number): Cell => {
  const first = keys[0]!
  const last = keys.at(-1)!
  let shared = at
  while (shared < first.length && first[shared] === last[shared]) shared++
  const node = writeLabel(maker, first.slice(at, shared), max - at)
  if (shared === first.length) return node.withInteger(0, 1).withBuilder(makeValue(maker, 'code')).toCell()
  const right = keys.findIndex((key) => key[shared] === '1')
  return node
    .withInteger(1, 1)
    .withRef(buildPrefixNode(maker, keys.slice(0, right), shared + 1, max))
    .withRef(buildPrefixNode(maker, keys.slice(right), shared + 1, max))
    .toCell()
}

/** A dictionary of code, as constants of code hold it. */
export const codeDictionary = (maker: ValueMaker, keyBits: number): Cell =>
  makeDictionary(maker, keyBits, 'code') ?? codeOf('')
