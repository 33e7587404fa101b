import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ParseError } from './errors.ts'
import * as shards from './shard.ts'

const whole = 0x8000000000000000n

test('prefix and its length', () => {
  const cases: [shard: bigint, length: number, prefix: bigint][] = [
    [whole, 0, 0n],
    [0x4000000000000000n, 1, 0n],
    [0xc000000000000000n, 1, whole],
    [0xe000000000000000n, 2, 0xc000000000000000n],
    [0x1234567900000000n, 31, 0x1234567800000000n],
    [0x1234567880000000n, 32, 0x1234567800000000n],
    [0x1234567890000000n, 35, 0x1234567880000000n],
    [0x0000000000000008n, 60, 0n],
    [0xfffffffffffffff8n, 60, 0xfffffffffffffff0n],
  ]
  for (const [shard, length, prefix] of cases) {
    assert.equal(shards.shardPrefixLength(shard), length, shard.toString(16))
    assert.equal(shards.shardPrefix(shard), prefix)
    assert.equal(shards.findShardOfPrefix(prefix, length), shard)
  }
})

test('a prefix that is no prefix gives no shard', () => {
  const cases: [prefix: bigint, length: number][] = [
    [0n, 61],
    [0n, -1],
    [0n, 0.5],
    [1n, 60],
    [8n, 60],
    [whole, 0],
    [0xc000000000000000n, 1],
    [2n ** 64n, 10],
    [-(2n ** 63n), 10],
  ]
  for (const [prefix, length] of cases) assert.equal(shards.findShardOfPrefix(prefix, length), undefined)
})

test('parent and children', () => {
  assert.equal(shards.findShardParent(whole), undefined)
  const families: [parent: bigint, left: bigint, right: bigint][] = [
    [whole, 0x4000000000000000n, 0xc000000000000000n],
    [0x4000000000000000n, 0x2000000000000000n, 0x6000000000000000n],
    [0xc000000000000000n, 0xa000000000000000n, 0xe000000000000000n],
    [0xfffffffffffffff0n, 0xffffffffffffffe8n, 0xfffffffffffffff8n],
    [0x0000000100000000n, 0x0000000080000000n, 0x0000000180000000n],
  ]
  for (const [parent, left, right] of families) {
    assert.deepEqual(shards.shardChildren(parent), [left, right])
    assert.equal(shards.findShardParent(left), parent)
    assert.equal(shards.findShardParent(right), parent)
  }
})

test('ancestors', () => {
  const cases: [ancestor: bigint, shard: bigint, yes: boolean][] = [
    [whole, whole, true],
    [whole, 0x4000000000000000n, true],
    [whole, 0xfffffffffffffff8n, true],
    [0x4000000000000000n, whole, false],
    [0x4000000000000000n, 0x4000000000000000n, true],
    [0x4000000000000000n, 0x6000000000000000n, true],
    [0x4000000000000000n, 0x2000000000000000n, true],
    [0x4000000000000000n, 0xc000000000000000n, false],
    [0x4000000000000000n, 0xa000000000000000n, false],
    [0x6000000000000000n, 0x2000000000000000n, false],
  ]
  for (const [ancestor, shard, yes] of cases) {
    assert.equal(shards.isShardAncestor(ancestor, shard), yes, `${ancestor.toString(16)} ${shard.toString(16)}`)
  }
})

test('accounts of a shard', () => {
  const cases: [shard: bigint, account: bigint, yes: boolean][] = [
    [whole, 0n, true],
    [whole, 0xffffffffffffffffn, true],
    [0x4000000000000000n, 0n, true],
    [0x4000000000000000n, 0x7fffffffffffffffn, true],
    [0x4000000000000000n, 0x8000000000000000n, false],
    [0xc000000000000000n, 0x7fffffffffffffffn, false],
    [0xc000000000000000n, 0x8000000000000000n, true],
    [0x0000000000000008n, 0xfn, true],
    [0x0000000000000008n, 0x10n, false],
  ]
  for (const [shard, account, yes] of cases) {
    assert.equal(shards.shardContains(shard, account), yes, `${shard.toString(16)} ${account.toString(16)}`)
  }
})

test('what a node takes for a shard', () => {
  for (const shard of [whole, 8n, 0xfffffffffffffff8n, 0x4000000000000000n]) assert.ok(shards.isValidShard(shard))
  for (const shard of [0n, 1n, 2n, 4n, 12n, 0xffffffffffffffffn, 2n ** 64n, -8n, -whole]) {
    assert.ok(!shards.isValidShard(shard), shard.toString())
  }
})

test('text forms', () => {
  assert.equal(shards.wholeShard, whole)
  const cases: [shard: bigint, hex: string, decimal: string][] = [
    [whole, '8000000000000000', '-9223372036854775808'],
    [0x2000000000000000n, '2000000000000000', '2305843009213693952'],
    [0x0800000000000000n, '0800000000000000', '576460752303423488'],
    [0xe000000000000000n, 'e000000000000000', '-2305843009213693952'],
    [0n, '0000000000000000', '0'],
    [0x7fffffffffffffffn, '7fffffffffffffff', '9223372036854775807'],
    [0xffffffffffffffffn, 'ffffffffffffffff', '-1'],
  ]
  for (const [shard, hex, decimal] of cases) {
    assert.equal(shards.formatShard(shard), hex)
    assert.equal(shards.parseShard(hex), shard)
    assert.equal(shards.parseShard(hex.toUpperCase()), shard)
    assert.equal(shards.formatSignedShard(shard), decimal)
    assert.equal(shards.parseSignedShard(decimal), shard)
    assert.equal(shards.toSignedShard(shard), BigInt(decimal))
    assert.equal(shards.fromSignedShard(BigInt(decimal)), shard)
  }
})

test('texts that are no shard', () => {
  for (const text of [
    '',
    '8',
    '800000000000000',
    '80000000000000000',
    '0x80000000000000',
    '800000000000000g',
    '８'.repeat(16),
  ]) {
    assert.throws(() => shards.parseShard(text), new ParseError('a shard as 16 hex digits', text))
  }
  const decimals = ['', '-', '-0', '00', '01', '+1', '1.0', '1e3', '0x1', ' 1', '1 ', '1n', '٣']
  for (const text of [
    ...decimals,
    '9223372036854775808',
    '-9223372036854775809',
    '9'.repeat(20),
    '9'.repeat(100_000),
  ]) {
    assert.throws(
      () => shards.parseSignedShard(text),
      new ParseError('a shard as a signed 64-bit decimal number', text),
    )
  }
})
