import assert from 'node:assert/strict'
import { test } from 'node:test'
import { haveFixtures, readFixture } from '../../test/support/fixtures.ts'
import type { BlockId, BlockIdExt } from './BlockId.ts'
import * as ids from './BlockId.ts'
import { getU16LE, getU32LE } from './bytes.ts'
import { ParseError } from './errors.ts'
import { fromHex } from './hex.ts'
import { wholeShard } from './shard.ts'

// The first masterchain block of the main network.
const first: BlockIdExt = {
  workchain: -1,
  shard: wholeShard,
  seqno: 1,
  rootHash: fromHex('f0662186b8a077c0b0646ad14f9f62ba52c372089362ebce033149c6e81cd13b'),
  fileHash: fromHex('57e5f3ca4130ba7e3278f6610043d993bed16cc7cc3a04bf4b81a226448a63ab'),
}
const firstName =
  '(-1,8000000000000000,1):F0662186B8A077C0B0646AD14F9F62BA52C372089362EBCE033149C6E81CD13B:' +
  '57E5F3CA4130BA7E3278F6610043D993BED16CC7CC3A04BF4B81A226448A63AB'

test('short ids to text and back', () => {
  const cases: [id: BlockId, text: string][] = [
    [{ workchain: -1, shard: wholeShard, seqno: 123 }, '(-1,8000000000000000,123)'],
    [{ workchain: 0, shard: 0x0800000000000000n, seqno: 0 }, '(0,0800000000000000,0)'],
    [
      { workchain: 2147483647, shard: 0xfffffffffffffff8n, seqno: 4294967295 },
      '(2147483647,fffffffffffffff8,4294967295)',
    ],
    [{ workchain: -2147483648, shard: 0n, seqno: 1 }, '(-2147483648,0000000000000000,1)'],
  ]
  for (const [id, text] of cases) {
    assert.equal(ids.formatBlockId(id), text)
    assert.deepEqual(ids.parseBlockId(text), id)
    assert.deepEqual(ids.parseBlockId(text.toUpperCase()), id)
  }
})

test('full ids to text and back', () => {
  assert.equal(ids.formatBlockIdExt(first), firstName)
  assert.deepEqual(ids.parseBlockIdExt(firstName), first)
  assert.deepEqual(ids.parseBlockIdExt(firstName.toLowerCase()), first)
})

test('texts that are no block id', () => {
  const bad = [
    '',
    '()',
    '-1,8000000000000000,1',
    '(-1,8000000000000000)',
    '(-1,8000000000000000,1',
    '(-1,8000000000000000,1) ',
    '(-1, 8000000000000000,1)',
    '(-1,800000000000000,1)',
    '(-1,-9223372036854775808,1)',
    '(-1,8000000000000000,-1)',
    '(-1,8000000000000000,-0)',
    '(-1,8000000000000000,01)',
    '(-0,8000000000000000,1)',
    '(-1,8000000000000000,4294967296)',
    '(2147483648,8000000000000000,1)',
    '(-2147483649,8000000000000000,1)',
    '(-1,8000000000000000,99999999999)',
    firstName,
  ]
  for (const text of bad) {
    assert.throws(() => ids.parseBlockId(text), new ParseError('a block id like (-1,8000000000000000,1)', text))
  }
  const badFull = [
    '(-1,8000000000000000,1)',
    firstName.slice(1),
    firstName.slice(0, -1),
    `${firstName}0`,
    `proof_${firstName}`,
    firstName.replace('57E5', '57G5'),
    firstName.replace(',1)', ',4294967296)'),
    firstName.replaceAll(':', ';'),
  ]
  for (const text of badFull) {
    const expected = 'a block id like (-1,8000000000000000,1):ROOT_HASH:FILE_HASH'
    assert.throws(() => ids.parseBlockIdExt(text), new ParseError(expected, text))
  }
})

test('ids a node takes', () => {
  const base: BlockId = { workchain: 0, shard: 0x4000000000000000n, seqno: 7 }
  const cases: [change: Partial<BlockId>, valid: boolean][] = [
    [{}, true],
    [{ seqno: 0 }, true],
    [{ seqno: 0x7fffffff }, true],
    [{ seqno: 0x80000000 }, false],
    [{ seqno: -1 }, false],
    [{ seqno: 0.5 }, false],
    [{ seqno: Number.NaN }, false],
    [{ shard: 0n }, false],
    [{ shard: 8n }, true],
    [{ shard: 4n }, false],
    [{ shard: 2n ** 64n }, false],
    [{ shard: -(2n ** 63n) }, false],
    [{ workchain: -1 }, false],
    [{ workchain: -1, shard: wholeShard }, true],
    [{ workchain: 1 }, true],
    [{ workchain: -2147483647 }, true],
    [{ workchain: -2147483648 }, false],
    [{ workchain: 2147483648 }, false],
    [{ workchain: 0.5 }, false],
  ]
  for (const [change, valid] of cases) {
    const id = { ...base, ...change }
    assert.equal(ids.isValidBlockId(id), valid, ids.formatBlockId(id))
    assert.equal(ids.isValidBlockIdExt({ ...first, ...id }), valid, ids.formatBlockId(id))
  }
})

test('full ids need hashes that are not zero', () => {
  assert.equal(ids.isValidBlockIdExt(first), true)
  for (const hash of [new Uint8Array(32), new Uint8Array(31).fill(1), new Uint8Array(33).fill(1)]) {
    assert.equal(ids.isValidBlockIdExt({ ...first, rootHash: hash }), false)
    assert.equal(ids.isValidBlockIdExt({ ...first, fileHash: hash }), false)
  }
})

test('entry names of real archive packages', (t) => {
  if (!haveFixtures(t, 'mainnet/archives')) return
  const counts = {
    'localnet/archive.00000.pack': 381,
    'localnet/archive.00200.pack': 389,
    'mainnet/archive.00000.pack': 198,
  }
  for (const [file, count] of Object.entries(counts)) {
    const names = listEntryNames(readFixture(`mainnet/archives/${file}`))
    assert.equal(names.length, count, file)
    for (const name of names) {
      const text = name.slice(name.indexOf('_') + 1)
      const id = ids.parseBlockIdExt(text)
      assert.ok(ids.isValidBlockIdExt(id), name)
      assert.equal(ids.formatBlockIdExt(id), text)
    }
  }
})

const listEntryNames = (pack: Uint8Array): string[] => {
  const names: string[] = []
  for (let at = 4; at < pack.length; ) {
    assert.equal(getU16LE(pack, at), 0x1e8b)
    const dataAt = at + 8 + getU16LE(pack, at + 2)
    names.push(new TextDecoder().decode(pack.subarray(at + 8, dataAt)))
    at = dataAt + getU32LE(pack, at + 4)
  }
  return names
}
