import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { arbitraryMutant, passesOrFailsCoded } from '../../../test/support/mutateCell.ts'
import { fromBits, hashOf, ordinary, type ReferenceCell, toBits } from '../../../test/support/referenceCell.ts'
import { toHex } from '../../primitives/hex.ts'
import { uintValue } from './dictTypes.ts'
import { PfxDict, type PfxDictType, type PfxKey } from './PfxDict.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)

const key = (bits: string): PfxKey => ({ bits: bits.length, value: fromBits(bits) })
const spell = ({ bits, value }: PfxKey): string => toBits(value).slice(0, bits)

/** The label as the protocol page chooses it, in text. */
const label = (bits: string, max: number): string => {
  const n = bits.length
  const k = max === 0 ? 0 : max.toString(2).length
  const length = k === 0 ? '' : n.toString(2).padStart(k, '0')
  const isUniform = n > 0 && !(bits.includes('0') && bits.includes('1'))
  if (isUniform && n > 1 && k < 2 * n - 1) return `11${bits[0]}${length}`
  return k < n ? `10${length}${bits}` : `0${'1'.repeat(n)}0${bits}`
}

/** A prefix dictionary built straight from its definition, over keys as text. */
const build = (entries: readonly (readonly [string, number])[], max: number): ReferenceCell => {
  if (entries.length === 1) {
    const [bits, value] = entries[0]!
    return ordinary(`${label(bits, max)}0${value.toString(2).padStart(16, '0')}`)
  }
  let common = 0
  while (entries.every(([bits]) => bits[common] === entries[0]![0][common])) common++
  const side = (bit: string) =>
    build(
      entries.filter(([bits]) => bits[common] === bit).map(([bits, value]) => [bits.slice(common + 1), value] as const),
      max - common - 1,
    )
  return ordinary(`${label(entries[0]![0].slice(0, common), max)}1`, [side('0'), side('1')])
}

type Sample = { readonly maxKeyBits: number; readonly entries: (readonly [string, number])[] }

const bitText = (maxLength: number): fc.Arbitrary<string> =>
  fc.oneof(
    fc.string({ unit: fc.constantFrom('0', '1'), maxLength: Math.min(maxLength, 12) }),
    fc.string({ unit: fc.constantFrom('0', '1'), maxLength }),
    fc.tuple(fc.nat(maxLength), fc.constantFrom('0', '1')).map(([length, bit]) => bit.repeat(length)),
  )

/** Keys none of which is the start of another: of any that clash the shorter is left out. */
const sample: fc.Arbitrary<Sample> = fc.constantFrom(1, 4, 8, 32, 267, 1000).chain((maxKeyBits) =>
  fc
    .tuple(fc.uniqueArray(bitText(maxKeyBits), { minLength: 1, maxLength: 30 }), fc.nat(0xffff))
    .map(([keys, first]) => ({
      maxKeyBits,
      entries: keys
        .filter((bits) => !keys.some((other) => other !== bits && other.startsWith(bits)))
        .map((bits, k) => [bits, (first + 977 * k) & 0xffff] as const),
    })),
)

const typeOf = (maxKeyBits: number): PfxDictType<number> => ({ maxKeyBits, value: uintValue(16) })
const dictOf = ({ maxKeyBits, entries }: Sample): PfxDict<number> =>
  PfxDict.of(
    typeOf(maxKeyBits),
    entries.map(([bits, value]) => [key(bits), value] as const),
  )

test('built dictionaries have the hash that the definition gives, and so have those built again from them', (t) => {
  t.diagnostic(`seed ${seed}`)
  fc.assert(
    fc.property(sample, (each) => {
      const dict = dictOf(each)
      assert.equal(toHex(dict.root!.hash()), hashOf(build(each.entries, each.maxKeyBits)))
      const sorted = each.entries.toSorted(([a], [b]) => (a < b ? -1 : 1))
      assert.deepEqual(
        dict.entries().map(([bits, value]) => [spell(bits), value]),
        sorted.map(([bits, value]) => [bits, value]),
      )
      const again = PfxDict.of(typeOf(each.maxKeyBits), dict.entries().toReversed())
      assert.equal(toHex(again.root!.hash()), toHex(dict.root!.hash()))
    }),
    { seed, numRuns: 500 },
  )
})

test('lookups find what a search through all keys finds', (t) => {
  t.diagnostic(`seed ${seed}`)
  const asked = fc.tuple(sample, fc.array(bitText(300), { minLength: 1, maxLength: 20 }))
  fc.assert(
    fc.property(asked, ([each, queries]) => {
      const dict = dictOf(each)
      const nearKeys = each.entries.flatMap(([bits]) => [bits, `${bits}01`, bits.slice(0, -1)])
      for (const query of [...queries, ...nearKeys]) {
        const expected = each.entries.find(([bits]) => query.startsWith(bits))
        const match = dict.findPrefix(key(query))
        assert.deepEqual(match && [spell(match.prefix), match.value], expected && [...expected])
        assert.equal(dict.find(key(query)), expected?.[0] === query ? expected[1] : undefined)
      }
    }),
    { seed, numRuns: 300 },
  )
})

test('spoilt dictionaries are read or refused by one of our errors', (t) => {
  t.diagnostic(`seed ${seed}`)
  let refused = 0
  const mutant = sample.chain((each) => arbitraryMutant(dictOf(each).root!).map((spoilt) => ({ ...each, ...spoilt })))
  fc.assert(
    fc.property(mutant, ({ maxKeyBits, entries, cell }) => {
      const dict = new PfxDict(typeOf(maxKeyBits), cell)
      if (!passesOrFailsCoded(() => dict.entries())) refused++
      for (const [bits] of entries) passesOrFailsCoded(() => dict.findPrefix(key(bits)))
    }),
    { seed, numRuns: 800 },
  )
  t.diagnostic(`${refused} of 800 refused`)
  assert.ok(refused > 100)
})
