import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { assertRefused } from '../../../test/support/assertRefused.ts'
import { filled } from '../../../test/support/sampleMessages.ts'
import { wholeShard } from '../../primitives/shard.ts'
import { createValidatorPrng, type SigningRules, validatorListHash, validatorSubset } from './validatorSets.ts'

const MASTERCHAIN = { workchain: -1, shard: wholeShard }
const SHARD = { workchain: 0, shard: 0x2000_0000_0000_0000n }

const rulesOf = (weights: readonly bigint[], more: Partial<SigningRules> = {}): SigningRules => ({
  keyBlockSeqno: 0,
  validators: weights.map((weight, k) => ({ publicKey: filled(k), weight, adnlAddress: undefined })),
  main: weights.length,
  shuffleMasterchain: false,
  shardValidators: 4,
  ...more,
})

/** The first byte of a key tells which validator it is. */
const names = (rules: SigningRules, shard: typeof SHARD, seqno: number): number[] =>
  validatorSubset(rules, shard, seqno).map(({ publicKey }) => publicKey[0]!)

/** The numbers straight from the definition: eight from each hash, the seed counted up by one. */
const referenceNumbers = (shardHex: string, workchainHex: string, seqno: number, count: number): bigint[] => {
  const numbers: bigint[] = []
  for (let seed = 0n; numbers.length < count; seed++) {
    const text = seed.toString(16).padStart(64, '0') + shardHex + workchainHex + seqno.toString(16).padStart(8, '0')
    const hash = createHash('sha512').update(Buffer.from(text, 'hex')).digest()
    for (let k = 0; k < 8; k++) numbers.push(hash.readBigUInt64BE(8 * k))
  }
  return numbers.slice(0, count)
}

test('the numbers are those of the definition, beyond one hash too', () => {
  const draw = createValidatorPrng(MASTERCHAIN, 363_058)
  const drawn = Array.from({ length: 20 }, () => draw(1n << 64n))
  assert.deepEqual(drawn, referenceNumbers('8000000000000000', 'ffffffff', 363_058, 20))
  const ofShard = createValidatorPrng(SHARD, 5)
  assert.equal(ofShard(1000n), (1000n * referenceNumbers('2000000000000000', '00000000', 5, 1)[0]!) >> 64n)
})

test('the masterchain takes the first validators, shuffled where the rules say so', () => {
  const weights = Array.from({ length: 20 }, (_, k) => BigInt(k + 1))
  assert.deepEqual(names(rulesOf(weights, { main: 3 }), MASTERCHAIN, 1), [0, 1, 2])
  const shuffled = rulesOf(weights, { main: 15, shuffleMasterchain: true })
  const one = names(shuffled, MASTERCHAIN, 1)
  assert.deepEqual(
    one.toSorted((a, b) => a - b),
    Array.from({ length: 15 }, (_, k) => k),
  )
  assert.notDeepEqual(one, names(shuffled, MASTERCHAIN, 2))
  assert.deepEqual(one, names(shuffled, MASTERCHAIN, 1))
  const [first] = validatorSubset(shuffled, MASTERCHAIN, 1)
  assert.equal(first?.weight, BigInt(one[0]! + 1))
})

/** Picks by laying all weight that is left end to end, each time anew. */
const referencePicks = (weights: readonly bigint[], count: number, numbers: readonly bigint[]): number[] => {
  const left = weights.map((weight, k) => ({ weight, k }))
  return numbers.slice(0, count).map((number) => {
    const total = left.reduce((sum, { weight }) => sum + weight, 0n)
    let point = (total * number) >> 64n
    const place = left.findIndex(({ weight }) => {
      point -= weight
      return point < 0n
    })
    return left.splice(place, 1)[0]!.k
  })
}

test('a shard takes some by their weight, each once and with one vote', () => {
  for (let seqno = 0; seqno < 200; seqno++) {
    const weights = Array.from({ length: 9 }, (_, k) => BigInt(1 + ((k * 7919 + seqno * 104_729) % 1000)))
    const shardValidators = 1 + (seqno % 9)
    const rules = rulesOf(weights, { shardValidators })
    const expected = referencePicks(
      weights,
      shardValidators,
      referenceNumbers('2000000000000000', '00000000', seqno, 9),
    )
    assert.deepEqual(names(rules, SHARD, seqno), expected, `seqno ${seqno}`)
    assert.ok(validatorSubset(rules, SHARD, seqno).every(({ weight }) => weight === 1n))
  }
})

test('more than there are gives all of them, and no weight is refused', () => {
  assert.equal(names(rulesOf([1n, 2n], { shardValidators: 7 }), SHARD, 1).length, 2)
  assertRefused(() => validatorSubset(rulesOf([0n, 0n]), SHARD, 1), /too few of them have any weight/)
})

test('the hash covers the seqno, the order, weights and addresses', () => {
  const { validators } = rulesOf([1n, 2n])
  const hashes = [
    validatorListHash(validators, 0),
    validatorListHash(validators, 1),
    validatorListHash(validators.toReversed(), 0),
    validatorListHash([{ ...validators[0]!, weight: 3n }, validators[1]!], 0),
    validatorListHash([{ ...validators[0]!, adnlAddress: filled(1) }, validators[1]!], 0),
    validatorListHash(validators.slice(0, 1), 0),
  ]
  assert.equal(new Set(hashes).size, hashes.length)
  const zeroAddress = validators.map((each) => ({ ...each, adnlAddress: filled(0) }))
  assert.equal(validatorListHash(zeroAddress, 0), hashes[0])
})
