import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginCell, Dictionary } from '@ton/core'
import fc from 'fast-check'
import { toHex } from '../../primitives/hex.ts'
import { AugDict, type AugDictType } from './AugDict.ts'
import { Cell } from './Cell.ts'
import { Dict, type DictType } from './Dict.ts'
import { decodeSingleBoc } from './decodeBoc.ts'
import { int32Key, type KeyCodec, uintKey, uintValue } from './dictTypes.ts'
import { encodeBoc } from './encodeBoc.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)

const bigKey = (bits: number): KeyCodec<bigint> => ({
  bits,
  encode: (key) => {
    const length = Math.ceil(bits / 8)
    const aligned = key << BigInt(8 * length - bits)
    return Buffer.from(aligned.toString(16).padStart(2 * length, '0'), 'hex')
  },
  decode: (key) => BigInt(`0x${toHex(key)}`) >> BigInt(8 * key.length - bits),
})

const rootHash = <K, V>({ root }: { readonly root: Dict<K, V>['root'] }): string | undefined =>
  root === undefined ? undefined : toHex((root as Cell).hash())

/** Keys that share long beginnings are as likely as others, or the labels would all be short. */
const arbitraryKey = (bits: number): fc.Arbitrary<bigint> => {
  const max = (1n << BigInt(bits)) - 1n
  const near = fc.tuple(fc.nat(Math.min(bits, 40)), fc.boolean()).map(([low, high]) => {
    const offset = 1n << BigInt(Math.min(low, bits - 1))
    return (high ? max - offset : offset) & max
  })
  return fc.oneof(fc.bigInt({ min: 0n, max }), near, fc.bigInt({ min: 0n, max: max < 15n ? max : 15n }))
}

const widths = [1, 2, 7, 8, 15, 16, 32, 64, 96, 256, 267]

for (const bits of widths) {
  test(`dictionaries of ${bits}-bit keys have the cells of @ton/core’s and the entries that went in`, (t) => {
    t.diagnostic(`seed ${seed}`)
    const type: DictType<bigint, number> = { key: bigKey(bits), value: uintValue(16) }
    const entries = fc.array(fc.tuple(arbitraryKey(bits), fc.nat(65_535)), { maxLength: 60, size: 'max' })
    fc.assert(
      fc.property(entries, (given) => {
        const map = new Map(given)
        const ours = Dict.of(type, map)
        const core = Dictionary.empty(Dictionary.Keys.BigUint(bits), Dictionary.Values.Uint(16))
        for (const [key, value] of map) core.set(key, value)
        if (map.size === 0) assert.ok(ours.isEmpty)
        else {
          const direct = beginCell().storeDictDirect(core).endCell()
          assert.equal(rootHash(ours), direct.hash().toString('hex'))
          const sorted = [...map].sort(([a], [b]) => (a < b ? -1 : 1))
          const read = new Dict(type, decodeSingleBoc(direct.toBoc()))
          assert.deepEqual(read.entries(), sorted)
          assert.deepEqual(read.entries({ reverse: true }), sorted.toReversed())
          for (const [key, value] of map) assert.equal(read.find(key), value)
          const theirs = Dictionary.loadDirect(
            Dictionary.Keys.BigUint(bits),
            Dictionary.Values.Uint(16),
            beginCell().storeDictDirect(core).endCell(),
          )
          assert.equal(theirs.size, map.size)
        }
      }),
      { seed, numRuns: 60 },
    )
  })
}

test('signed keys make the cells of @ton/core’s', (t) => {
  t.diagnostic(`seed ${seed}`)
  const type: DictType<number, number> = { key: int32Key, value: uintValue(8) }
  const key = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }))
  fc.assert(
    fc.property(fc.array(fc.tuple(key, fc.nat(255)), { minLength: 1, maxLength: 30 }), (given) => {
      const map = new Map(given)
      const core = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.Uint(8))
      for (const [k, value] of map) core.set(k, value)
      const ours = Dict.of(type, map)
      assert.equal(rootHash(ours), beginCell().storeDictDirect(core).endCell().hash().toString('hex'))
      const sorted = [...map].sort(([a], [b]) => (a >>> 0) - (b >>> 0))
      assert.deepEqual(ours.entries(), sorted)
    }),
    { seed, numRuns: 200 },
  )
})

type Step = readonly [kind: 'set' | 'delete', key: bigint, value: number]

const sumType = (bits: number): AugDictType<bigint, number, number> => ({
  key: bigKey(bits),
  value: uintValue(16),
  extra: { codec: uintValue(40), empty: 0, combine: (a, b) => a + b, ofLeaf: (value) => value },
})

for (const bits of [1, 8, 32, 256]) {
  test(`any sequence of sets and deletes of ${bits}-bit keys ends in the cells of its result`, (t) => {
    t.diagnostic(`seed ${seed}`)
    const type: DictType<bigint, number> = { key: bigKey(bits), value: uintValue(16) }
    const step: fc.Arbitrary<Step> = fc.tuple(
      fc.constantFrom('set', 'set', 'delete'),
      fc.oneof(arbitraryKey(bits), fc.bigInt({ min: 0n, max: bits === 1 ? 1n : 7n })),
      fc.nat(65_535),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: 'max' }), fc.boolean(), (steps, viaBag) => {
        const oracle = new Map<bigint, number>()
        let dict = new Dict(type)
        let sums = AugDict.of(sumType(bits))
        for (const [kind, key, value] of steps) {
          if (kind === 'set') {
            oracle.set(key, value)
            dict = dict.set(key, value)
            sums = sums.set(key, value)
          } else {
            oracle.delete(key)
            dict = dict.delete(key)
            sums = sums.delete(key)
          }
          // Now and then the dictionary goes through a bag, so that its cells lie in several arenas.
          if (viaBag && dict.root instanceof Cell && value % 8 === 0) {
            dict = new Dict(type, decodeSingleBoc(encodeBoc([dict.root])))
          }
          assert.equal(dict.find(key), oracle.get(key))
          assert.equal(sums.find(key), oracle.get(key))
        }
        const sorted = [...oracle].sort(([a], [b]) => (a < b ? -1 : 1))
        assert.deepEqual(dict.entries(), sorted)
        assert.equal(rootHash(dict), rootHash(Dict.of(type, sorted)))
        assert.deepEqual(sums.entries(), sorted)
        assert.equal(rootHash(sums), rootHash(AugDict.of(sumType(bits), sorted)))
        assert.equal(
          sums.rootExtra,
          sorted.reduce((sum, [, value]) => sum + value, 0),
        )
      }),
      { seed, numRuns: 150 },
    )
  })
}

test('a walk from any key, in both directions, is a part of the whole walk', (t) => {
  t.diagnostic(`seed ${seed}`)
  const type: DictType<number, number> = { key: uintKey(12), value: uintValue(12) }
  const keys = fc.uniqueArray(fc.nat(4095), { minLength: 1, maxLength: 80, size: 'max' })
  fc.assert(
    fc.property(keys, fc.nat(4095), fc.nat(100), (given, anywhere, pick) => {
      const dict = Dict.of(
        type,
        given.map((key) => [key, key]),
      )
      const sorted = given.toSorted((a, b) => a - b)
      for (const after of [anywhere, sorted[pick % sorted.length]!]) {
        assert.deepEqual(
          dict.entries({ after }).map(([key]) => key),
          sorted.filter((key) => key > after),
        )
        const back = dict.entries({ after, reverse: true }).map(([key]) => key)
        assert.deepEqual(back, sorted.filter((key) => key < after).toReversed())
      }
    }),
    { seed, numRuns: 300 },
  )
})
