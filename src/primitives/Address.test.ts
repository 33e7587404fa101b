import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADNLAddress } from '@ton/core'
import { haveFixtures, readFixtureJson } from '../../test/support/fixtures.ts'
import * as addresses from './Address.ts'
import {
  ADDRESS_KEY_EXTERN,
  ADDRESS_KEY_NONE,
  ADDRESS_KEY_VAR,
  addressKeyOf,
  formatAdnlAddress,
  parseAddress,
  parseAddressKey,
} from './Address.ts'
import { toBase64 } from './base64.ts'
import { putU16BE } from './bytes.ts'
import { crc16 } from './crc.ts'
import { ParseError } from './errors.ts'
import { fromHex, toHex } from './hex.ts'

const hex = '83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8'
const address = { workchain: 0, hash: fromHex(hex) }
const elector = { workchain: -1, hash: new Uint8Array(32).fill(0x33) }

const packFriendly = (tag: number, workchain: number, hash: Uint8Array): string => {
  const bytes = Uint8Array.of(tag, workchain, ...hash, 0, 0)
  putU16BE(bytes, 34, crc16(bytes, 0, 34))
  return toBase64(bytes)
}

test('user-friendly forms by flags', () => {
  const cases = [
    [true, false, 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'],
    [false, false, 'UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI'],
    [true, true, 'kQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqKYH'],
    [false, true, '0QCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqPvC'],
  ] as const
  for (const [bounceable, testOnly, text] of cases) {
    assert.equal(addresses.formatFriendlyAddress(address, { bounceable, testOnly }), text)
    assert.deepEqual(addresses.parseFriendlyAddress(text), { address, bounceable, testOnly, urlSafe: true })
    assert.deepEqual(addresses.parseAddress(text), address)
  }
  assert.equal(addresses.formatFriendlyAddress(address), cases[0][2])
})

test('both alphabets, and workchain -1', () => {
  const url = 'Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF'
  assert.equal(addresses.formatFriendlyAddress(elector), url)
  assert.deepEqual(addresses.parseAddress(url), elector)

  const both = addresses.parseAddress('EQBAjaOyi2wGWlk-EDkSabqqnF-MrrwMadnwqrurKpkla9nE')
  const plain = 'EQBAjaOyi2wGWlk+EDkSabqqnF+MrrwMadnwqrurKpkla9nE'
  assert.equal(addresses.formatFriendlyAddress(both, { urlSafe: false }), plain)
  assert.equal(addresses.parseFriendlyAddress(plain).urlSafe, false)
  assert.deepEqual(addresses.parseAddress(plain), both)
})

test('raw forms', () => {
  assert.equal(addresses.formatRawAddress(address), `0:${hex}`)
  assert.equal(addresses.formatUpperRawAddress(address), `0:${hex.toUpperCase()}`)
  for (const text of [`0:${hex}`, `0:${hex.toUpperCase()}`]) assert.deepEqual(addresses.parseAddress(text), address)
  for (const workchain of [-128, -100, -1, 0, 1, 99, 127]) {
    const text = `${workchain}:${hex}`
    const parsed = addresses.parseAddress(text)
    assert.deepEqual(parsed, { workchain, hash: address.hash })
    assert.equal(addresses.formatRawAddress(parsed), text)
    assert.deepEqual(addresses.parseAddress(addresses.formatFriendlyAddress(parsed)), parsed)
  }
})

test('texts that are no address', () => {
  const friendly = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'
  const bad: [text: string, why: string][] = [
    [`-129:${hex}`, 'workchain too small'],
    [`128:${hex}`, 'workchain too large'],
    [`99999999999:${hex}`, 'workchain far too large'],
    [`:${hex}`, 'no workchain'],
    [`-:${hex}`, 'a sign alone'],
    [`-0:${hex}`, 'minus zero'],
    [`+0:${hex}`, 'plus zero'],
    [`00:${hex}`, 'leading zero'],
    [`0x0:${hex}`, 'hex workchain'],
    [`0: ${hex}`, 'a blank'],
    [` 0:${hex}`, 'a blank before'],
    [`0:${hex}\n`, 'a line break after'],
    [`0:0x${hex}`, 'prefixed hex'],
    [`0:${hex}:`, 'a second colon'],
    [`0:${hex.slice(0, 45)}`, '47 characters'],
    [`0:${hex.slice(0, 46)}`, '48 characters, yet raw'],
    [hex, 'no workchain, no colon'],
    [` ${friendly}`, 'a blank before'],
    [`${friendly}=`, 'padding'],
    [`${friendly.slice(0, 46)}==`, 'padding within 48 characters'],
    [friendly.replace('V', ' '), 'a blank inside'],
    ['EQBAjaOyi2wGWlk-EDkSabqqnF+MrrwMadnwqrurKpkla9nE', 'mixed alphabets'],
    [packFriendly(0x10, 0, address.hash), 'unknown tag'],
    [packFriendly(0x31, 0, address.hash), 'unknown flag'],
    [packFriendly(0x01, 0, address.hash), 'unknown tag'],
    ['addr_none', 'a word'],
    ['9'.repeat(1e6), 'a long text'],
  ]
  for (const [text, why] of bad) {
    assert.throws(() => addresses.parseAddress(text), ParseError, why)
    assert.throws(() => addresses.parseFriendlyAddress(text), ParseError, why)
  }
  assert.throws(() => addresses.parseFriendlyAddress(`0:${hex}`), ParseError)
  assert.equal(packFriendly(0x11, 0, address.hash), friendly)
})

test('a refusal says what is wrong', () => {
  const text = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2O'
  assert.throws(() => addresses.parseAddress(text), {
    code: 'invalid_text',
    message:
      'Expected a user-friendly address with a matching checksum, but got "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bp…"',
  })
  assert.throws(() => addresses.parseAddress('invalid'), {
    message: 'Expected an address, raw (workchain:hex) or user-friendly (48 base64 characters), but got "invalid"',
  })
})

test('every single changed character of a user-friendly form is noticed', () => {
  const text = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'
  for (let i = 0; i < text.length; i++) {
    for (const digit of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=') {
      if (digit === text[i]) continue
      assert.throws(() => addresses.parseAddress(text.slice(0, i) + digit + text.slice(i + 1)), ParseError)
    }
  }
})

test('equality and order', () => {
  const other = { workchain: 0, hash: fromHex(hex.replace('83', '84')) }
  const inMasterchain = { workchain: -1, hash: address.hash }
  assert.ok(addresses.addressesEqual(address, { workchain: 0, hash: fromHex(hex) }))
  assert.ok(!addresses.addressesEqual(address, other))
  assert.ok(!addresses.addressesEqual(address, inMasterchain))
  const sorted = [inMasterchain, address, other]
  for (const [i, a] of sorted.entries()) {
    for (const [j, b] of sorted.entries()) {
      assert.equal(Math.sign(addresses.compareAddresses(a, b)), Math.sign(i - j))
    }
  }
})

type Vectors = {
  readonly vectors: readonly {
    readonly raw: string
    readonly workchain: number
    readonly hash_part: string
    readonly bounceable: { readonly b64url: string; readonly b64: string }
    readonly non_bounceable: { readonly b64url: string; readonly b64: string }
    readonly testnet: { readonly bounceable: string; readonly non_bounceable: string }
    readonly recorded?: readonly {
      readonly friendly: string
      readonly bounceable: boolean
      readonly test_only: boolean
    }[]
  }[]
}

const folder = 'mainnet/metadata/addresses'

test('recorded addresses in all their forms', (t) => {
  if (!haveFixtures(t, folder)) return
  const files = ['vectors-01.json', 'vectors-02.json'].map((name) => readFixtureJson(`${folder}/${name}`) as Vectors)
  const vectors = files.flatMap((file) => file.vectors)
  assert.ok(vectors.length > 0)
  for (const vector of vectors) {
    const { raw, bounceable: b, non_bounceable: n, testnet, recorded = [] } = vector
    const parsed = addresses.parseAddress(raw)
    assert.deepEqual([parsed.workchain, toHex(parsed.hash)], [vector.workchain, vector.hash_part])
    assert.equal(addresses.formatRawAddress(parsed), raw)
    const forms = [
      [b.b64url, { bounceable: true, testOnly: false, urlSafe: true }],
      [b.b64, { bounceable: true, testOnly: false, urlSafe: false }],
      [n.b64url, { bounceable: false, testOnly: false, urlSafe: true }],
      [n.b64, { bounceable: false, testOnly: false, urlSafe: false }],
      [testnet.bounceable, { bounceable: true, testOnly: true, urlSafe: true }],
      [testnet.non_bounceable, { bounceable: false, testOnly: true, urlSafe: true }],
    ] as const
    for (const [text, flags] of forms) {
      assert.equal(addresses.formatFriendlyAddress(parsed, flags), text)
      const urlSafe = !/[+/]/.test(text)
      assert.deepEqual(addresses.parseFriendlyAddress(text), { address: parsed, ...flags, urlSafe })
    }
    for (const { friendly, bounceable, test_only: testOnly } of recorded) {
      const { address: same, ...flags } = addresses.parseFriendlyAddress(friendly)
      assert.ok(addresses.addressesEqual(same, parsed))
      assert.deepEqual([flags.bounceable, flags.testOnly], [bounceable, testOnly])
    }
  }
  t.diagnostic(`${vectors.length} addresses`)
})

test('recorded invalid addresses', (t) => {
  if (!haveFixtures(t, folder)) return
  const { cases } = readFixtureJson(`${folder}/invalid.json`) as { cases: { value: string; reason: string }[] }
  assert.ok(cases.length >= 10)
  for (const { value, reason } of cases) assert.throws(() => addresses.parseAddress(value), ParseError, reason)
})

const tail = 'ab'.repeat(31)

test('an address and back', () => {
  const cases: readonly [string, string][] = [
    [`0:01${tail}`, `0001${tail}`],
    [`-1:02${tail}`, `ff02${tail}`],
    [`127:00${tail}`, `7f00${tail}`],
    [`-128:ff${tail}`, `80ff${tail}`],
  ]
  for (const [text, hex] of cases) {
    const address = parseAddress(text)
    assert.equal(toHex(addressKeyOf(address)), hex)
    assert.deepEqual(parseAddressKey(addressKeyOf(address)), address)
  }
})

test('what is no account', () => {
  assert.equal(parseAddressKey(ADDRESS_KEY_NONE), 'none')
  assert.equal(parseAddressKey(ADDRESS_KEY_EXTERN), 'extern')
  assert.equal(parseAddressKey(ADDRESS_KEY_VAR), 'var')
})

test('other bytes are refused', () => {
  for (const bytes of [[0], [3], [1, 2], new Array(32).fill(7), new Array(34).fill(7)]) {
    assert.throws(() => parseAddressKey(Uint8Array.from(bytes)), ParseError)
  }
})

test('the address of a known site', () => {
  const id = fromHex('3d94f73794ca3c511c486574bb55a5b7f4f747a4e2aca618479a77bc841111d1')
  assert.equal(formatAdnlAddress(id), 'u6zj5zxstfdyui4jbsxjo2vuw37j52hutrkzjqyi6nhppeecei5cjex')
})

test('as another library writes it', () => {
  for (let k = 0; k < 200; k++) {
    const id = new Uint8Array(32).map((_, at) => (k * 37 + at * at * 11 + 5) & 0xff)
    assert.equal(formatAdnlAddress(id), new ADNLAddress(Buffer.from(id)).toString())
  }
})
