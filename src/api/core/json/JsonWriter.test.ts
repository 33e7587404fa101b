import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressText, otherAddressText } from '../../v3/views/scalars.ts'
import { JsonWriter, jsonNames } from './JsonWriter.ts'
import { textOf } from './stringifyJson.ts'

const names = jsonNames('a', 'b')
const writer = new JsonWriter()
const written = (write: (w: JsonWriter) => void): string => textOf(writer.write(write))
const writeMember = (write: (w: JsonWriter) => void): string =>
  written((w) => {
    w.open()
    write(w)
    w.close()
  })

const bytes = (length: number, seed: number): Uint8Array =>
  Uint8Array.from({ length }, (_, k) => Math.imul(seed + k, 0x9e3779b1) >>> 24)

test('numbers have all their digits', () => {
  const powers = Array.from({ length: 30 }, (_, k) => 10n ** BigInt(k))
  for (const value of powers.flatMap((power) => [power - 1n, power, power + 1n, -power, (power * 17n) / 3n])) {
    assert.equal(
      writeMember((w) => w.decimal(names.a, value)),
      `{"a":"${value}"}`,
    )
    if (!Number.isSafeInteger(Number(value))) continue
    assert.equal(
      writeMember((w) => w.number(names.a, Number(value))),
      `{"a":${value}}`,
    )
  }
})

test('hashes and addresses are written as their texts', () => {
  for (let seed = 0; seed < 200; seed++) {
    const [hash, key] = [bytes(32, seed), bytes(33, seed)]
    assert.equal(
      writeMember((w) => w.hash(names.a, hash)),
      `{"a":"${Buffer.from(hash).toString('base64')}"}`,
    )
    assert.equal(
      writeMember((w) => w.address(names.a, key, otherAddressText)),
      `{"a":"${addressText(key)}"}`,
    )
  }
})

test('bytes of any length are written as base64', () => {
  for (const length of [...Array(40).keys(), 511, 512, 513, 20_000]) {
    const value = bytes(length, length)
    const text = Buffer.from(value).toString('base64')
    assert.equal(
      writeMember((w) => w.base64(names.a, value)),
      `{"a":"${text}"}`,
    )
  }
})

test('what was written is copied, also into what is written next', () => {
  const kept = Buffer.alloc(100_000)
  let [from, length] = [0, 0]
  const first = written((w) => {
    w.open()
    w.name(names.a)
    from = w.length
    w.open().text(names.b, 'я'.repeat(20_000))
    w.close()
    length = w.length - from
    w.copyFrom(from, kept, 5)
    w.close()
  })
  const second = writeMember((w) => w.name(names.a).known(kept, 5, 5 + length))
  assert.equal(second, first)
  assert.deepEqual(JSON.parse(first), { a: { b: 'я'.repeat(20_000) } })
})

test('a text is escaped where it must be, and objects longer than the buffer stay whole', () => {
  const texts = ['plain', 'with "quotes"', 'back\\slash', 'schön', 'новый', '\u0001', '🎉', 'x'.repeat(5000)]
  const items = Array.from({ length: 1000 }, (_, k) => texts[k % texts.length]!)
  const list = written((w) => {
    w.open()
    w.text(names.a, undefined)
    w.list(names.b, items, (text) => {
      w.open().text(names.a, text)
      w.json(names.b, JSON.stringify({ text }))
      w.close()
    })
    w.flag(names.a, null)
    w.close()
  })
  assert.equal(list, JSON.stringify({ b: items.map((text) => ({ a: text, b: { text } })), a: null }))
})

test('each character, and texts about as long as are looked at byte by byte', () => {
  const characters = Array.from({ length: 0x300 }, (_, code) => String.fromCharCode(code))
  const long = [0, 1, 255, 256, 257].flatMap((length) => ['x', 'ж'].map((last) => 'x'.repeat(length) + last))
  for (const text of ['', ...characters, ...characters.map((character) => `a${character}b`), ...long]) {
    assert.equal(
      writeMember((w) => w.text(names.a, text)),
      JSON.stringify({ a: text }),
    )
  }
})

test('a writer that failed begins anew', () => {
  assert.throws(() =>
    writer.write((w) => {
      w.open()
      throw new Error('no')
    }),
  )
  assert.equal(
    written((w) => w.open().close()),
    '{}',
  )
})
