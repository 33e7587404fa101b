import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  formatFriendlyAddress,
  formatRawAddress,
  formatUpperRawAddress,
  parseAddress,
  parseFriendlyAddress,
} from './Address.ts'
import { formatBlockId, formatBlockIdExt, parseBlockId, parseBlockIdExt } from './BlockId.ts'
import { fromBase64, fromPaddedBase64, toBase64, toBase64Url } from './base64.ts'
import { parseCoins } from './coins.ts'
import { ParseError } from './errors.ts'
import { parseHash } from './hash.ts'
import { fromHex, toHex } from './hex.ts'
import { formatShard, formatSignedShard, parseShard, parseSignedShard } from './shard.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)

type Form = {
  /** Texts of the form, made without our formatters where something else can make them. */
  readonly texts: fc.Arbitrary<string>
  /** Parses and prints again. A text that was taken must come back, but for what `canonical` evens out. */
  readonly again: (text: string) => string
  readonly canonical?: (text: string) => string
}

const lower = (text: string): string => text.toLowerCase()
const urlUnpadded = (text: string): string => text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
const buffer = (length: { minLength?: number; maxLength: number }): fc.Arbitrary<Buffer> =>
  fc.uint8Array(length).map((bytes) => Buffer.from(bytes))

const hash = buffer({ minLength: 32, maxLength: 32 })
const hex = (length: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF'), minLength: length, maxLength: length })
const integer = (bits: number, signed: boolean): fc.Arbitrary<string> => {
  const [min, max] = signed
    ? [-(1n << BigInt(bits - 1)), (1n << BigInt(bits - 1)) - 1n]
    : [0n, (1n << BigInt(bits)) - 1n]
  return fc.oneof(fc.bigInt({ min, max }), fc.constantFrom(0n, min, max)).map(String)
}
const raw = fc.tuple(integer(8, true), hex(64)).map(([workchain, digits]) => `${workchain}:${digits}`)
const friendly = fc
  .record({ address: raw, bounceable: fc.boolean(), testOnly: fc.boolean(), urlSafe: fc.boolean() })
  .map(({ address, ...flags }) => formatFriendlyAddress(parseAddress(address), flags))
const blockId = fc
  .tuple(integer(32, true), hex(16), integer(32, false))
  .map(([workchain, shard, seqno]) => `(${workchain},${shard},${seqno})`)

const forms: Record<string, Form> = {
  hex: {
    texts: buffer({ maxLength: 40 }).map((b) => b.toString('hex')),
    again: (t) => toHex(fromHex(t)),
    canonical: lower,
  },
  base64: {
    texts: fc.oneof(
      buffer({ maxLength: 40 }).map((b) => b.toString('base64')),
      buffer({ maxLength: 40 }).map((b) => b.toString('base64url')),
    ),
    again: (t) => toBase64Url(fromBase64(t)),
    canonical: urlUnpadded,
  },
  'padded base64': {
    texts: buffer({ maxLength: 40 }).map((b) => b.toString('base64')),
    again: (t) => toBase64(fromPaddedBase64(t)),
  },
  'raw address': { texts: raw, again: (t) => formatRawAddress(parseAddress(t)), canonical: lower },
  'upper-case raw address': {
    texts: raw.map((t) => t.toUpperCase()),
    again: (t) => formatUpperRawAddress(parseAddress(t)),
    canonical: (t) => t.toUpperCase(),
  },
  'user-friendly address': {
    texts: friendly,
    again: (t) => {
      const { address, ...flags } = parseFriendlyAddress(t)
      return formatFriendlyAddress(address, flags)
    },
  },
  'hash in hex': { texts: hash.map((b) => b.toString('hex')), again: (t) => toHex(parseHash(t)), canonical: lower },
  'hash in base64': {
    texts: fc.oneof(
      hash.map((b) => b.toString('base64')),
      hash.map((b) => b.toString('base64url')),
    ),
    again: (t) => toBase64Url(parseHash(t)),
    canonical: urlUnpadded,
  },
  shard: { texts: hex(16), again: (t) => formatShard(parseShard(t)), canonical: lower },
  'signed shard': { texts: integer(64, true), again: (t) => formatSignedShard(parseSignedShard(t)) },
  'block id': { texts: blockId, again: (t) => formatBlockId(parseBlockId(t)), canonical: lower },
  'full block id': {
    texts: fc.tuple(blockId, hex(64), hex(64)).map((parts) => parts.join(':')),
    again: (t) => lower(formatBlockIdExt(parseBlockIdExt(t))),
    canonical: lower,
  },
  coins: { texts: integer(120, false), again: (t) => parseCoins(t).toString() },
}

/** One edit: some characters replaced by others, both counts small and possibly zero. */
const mutated = (texts: fc.Arbitrary<string>): fc.Arbitrary<string> => {
  const inserted = fc.oneof(fc.string({ maxLength: 2 }), fc.string({ unit: 'binary', maxLength: 2 }), hex(1))
  return fc
    .tuple(texts, fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(2), inserted)
    .map(([text, place, removed, added]) => {
      const at = Math.round(place * text.length)
      return text.slice(0, at) + added + text.slice(at + removed)
    })
}

for (const [name, { texts, again, canonical = String }] of Object.entries(forms)) {
  test(`${name}: a good text comes back`, (t) => {
    t.diagnostic(`seed ${seed}`)
    fc.assert(
      fc.property(texts, (text) => assert.equal(again(text), canonical(text))),
      { seed, numRuns: 500 },
    )
  })

  test(`${name}: a damaged or foreign text is refused, or means just what it says`, (t) => {
    t.diagnostic(`seed ${seed}`)
    let refused = 0
    const property = fc.property(
      fc.oneof({ weight: 4, arbitrary: mutated(texts) }, fc.string({ unit: 'binary' })),
      (text) => {
        try {
          assert.equal(again(text), canonical(text))
        } catch (error) {
          if (!(error instanceof ParseError)) throw error
          refused++
        }
      },
    )
    fc.assert(property, { seed, numRuns: 1000 })
    assert.ok(refused > 200, `only ${refused} of 1000 texts were refused`)
  })
}
