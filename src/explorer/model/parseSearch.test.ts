import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Address } from '@ton/core'
import { findRawAddress, formatFriendly } from './addresses.ts'
import { hexShard, parseSearch, signedShard } from './parseSearch.ts'

const hash = '83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8'
const address = new Address(0, Buffer.from(hash, 'hex'))
const raw = `0:${hash.toUpperCase()}`

test('addresses in every form are the same address', () => {
  const forms = [true, false].flatMap((bounceable) =>
    [true, false].flatMap((urlSafe) =>
      [true, false].map((testOnly) => address.toString({ bounceable, urlSafe, testOnly })),
    ),
  )
  for (const text of [...forms, raw, raw.toLowerCase(), `  ${raw} `]) {
    assert.deepEqual(parseSearch(text), [{ kind: 'address', raw }])
  }
  const master = new Address(-1, Buffer.from(hash, 'hex'))
  assert.equal(findRawAddress(master.toString()), `-1:${hash.toUpperCase()}`)
  for (const bounceable of [true, false]) {
    assert.equal(formatFriendly(raw, { bounceable }), address.toString({ bounceable }))
    assert.equal(formatFriendly(`-1:${hash.toUpperCase()}`, { bounceable }), master.toString({ bounceable }))
  }
  // One letter is another.
  assert.equal(findRawAddress(address.toString().replace('3', '4')), undefined)
})

test('what a text may mean', () => {
  const cases: readonly (readonly [string, unknown])[] = [
    [hash, { kind: 'hash', hex: hash }],
    [`0x${hash.toUpperCase()}`, { kind: 'hash', hex: hash }],
    [Buffer.from(hash, 'hex').toString('base64'), { kind: 'hash', hex: hash }],
    [Buffer.from(hash, 'hex').toString('base64url'), { kind: 'hash', hex: hash }],
    ['(-1,8000000000000000,17)', { kind: 'block', workchain: -1, shard: '8000000000000000', seqno: 17 }],
    ['0:a000000000000000:5', { kind: 'block', workchain: 0, shard: 'A000000000000000', seqno: 5 }],
    ['( 0 , -9223372036854775808 , 5 )', { kind: 'block', workchain: 0, shard: '8000000000000000', seqno: 5 }],
    ['0 4611686018427387904 5', { kind: 'block', workchain: 0, shard: '4000000000000000', seqno: 5 }],
    ['12345', { kind: 'seqno', seqno: 12_345 }],
    ['12 345', { kind: 'seqno', seqno: 12_345 }],
    ['#7', { kind: 'seqno', seqno: 7 }],
    ['Alice.ton', { kind: 'domain', domain: 'alice.ton' }],
    ['alice', { kind: 'domain', domain: 'alice.ton' }],
    ['a.b.ton', { kind: 'domain', domain: 'a.b.ton' }],
  ]
  for (const [text, target] of cases) assert.deepEqual(parseSearch(text), [target], text)
  for (const nothing of ['', '  ', '!', 'a..b', 'x'.repeat(200)]) {
    assert.deepEqual(parseSearch(nothing), [], nothing)
  }
})

test('shards in both spellings', () => {
  assert.equal(signedShard('8000000000000000'), '-9223372036854775808')
  assert.equal(signedShard('4000000000000000'), '4611686018427387904')
  assert.equal(hexShard('-9223372036854775808'), '8000000000000000')
})
