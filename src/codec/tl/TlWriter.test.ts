import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toHex } from '../../primitives/hex.ts'
import { TlError } from './TlError.ts'
import { MAX_TL_STRING_BYTES, MAX_TL_VECTOR_ITEMS, TlReader } from './TlReader.ts'
import { TlWriter } from './TlWriter.ts'

const write = (fill: (w: TlWriter) => void): Uint8Array => {
  const w = new TlWriter()
  fill(w)
  return w.finish()
}
const written = (fill: (w: TlWriter) => void): string => toHex(write(fill))

test('integers are little-endian', () => {
  assert.equal(
    written((w) => w.writeInt(-2)),
    'feffffff',
  )
  assert.equal(
    written((w) => w.writeUint(0xb7cdb167)),
    '67b1cdb7',
  )
  assert.equal(
    written((w) => w.writeLong(-(2n ** 63n))),
    '0000000000000080',
  )
  assert.equal(
    written((w) => w.writeUlong(2n ** 63n)),
    '0000000000000080',
  )
  assert.equal(
    written((w) => w.writeDouble(Math.PI)),
    '182d4454fb210940',
  )
  assert.equal(
    written((w) => w.writeBool(true)),
    'b5757299',
  )
  assert.equal(
    written((w) => w.writeBool(false)),
    '379779bc',
  )
  assert.equal(
    written((w) => w.writeInt128(new Uint8Array(16).fill(7))),
    '07'.repeat(16),
  )
})

test('bytes take the shortest prefix and zero padding', () => {
  const bytes = (length: number): string => written((w) => w.writeBytes(new Uint8Array(length).fill(0xaa)))
  assert.equal(bytes(0), '00000000')
  assert.equal(bytes(3), '03aaaaaa')
  assert.equal(bytes(4), '04aaaaaaaa000000')
  assert.equal(bytes(253), `fd${'aa'.repeat(253)}0000`)
  assert.equal(bytes(254), `fefe0000${'aa'.repeat(254)}0000`)
  assert.equal(bytes(255), `feff0000${'aa'.repeat(255)}00`)
  assert.equal(bytes(256), `fe000100${'aa'.repeat(256)}`)
  assert.equal(
    written((w) => w.writeString('а€!')),
    '06d0b0e282ac2100',
  )
  assert.equal(
    written((w) => w.writeString('\ud800')),
    '03efbfbd',
  )
})

test('bytes around the longest prefix', () => {
  for (const [length, prefix, total] of [
    [2 ** 24 - 1, 'feffffff', 2 ** 24 + 4],
    [2 ** 24, 'ff00000001000000', 2 ** 24 + 8],
    [2 ** 24 + 1, 'ff01000001000000', 2 ** 24 + 12],
  ] as const) {
    const data = new Uint8Array(length)
    data[length - 1] = 0xaa
    const bytes = write((w) => w.writeBytes(data))
    assert.equal(bytes.length, total)
    assert.equal(toHex(bytes.subarray(0, prefix.length / 2)), prefix)
    assert.equal(bytes[prefix.length / 2 + length - 1], 0xaa)
    assert.equal(new TlReader(bytes, total).readBytes().length, length)
  }
})

test('values that TL cannot carry throw', () => {
  const refused: [(w: TlWriter) => void, RegExp][] = [
    [(w) => w.writeInt(2 ** 31), /for int, got 2147483648/],
    [(w) => w.writeInt(1.5), /got 1\.5/],
    [(w) => w.writeInt(Number.NaN), /got NaN/],
    [(w) => w.writeUint(-1), /for #, got -1/],
    [(w) => w.writeUint(2 ** 32), /got 4294967296/],
    [(w) => w.writeLong(2n ** 63n), /for long, got 9223372036854775808/],
    [(w) => w.writeLong(1 as unknown as bigint), /Expected a bigint .* got 1/],
    [(w) => w.writeUlong(-1n), /unsigned long, got -1/],
    [(w) => w.writeUlong(2n ** 64n), /got 18446744073709551616/],
    [(w) => w.writeInt256(new Uint8Array(31)), /Expected 32 bytes for int256, got 31 bytes/],
    [(w) => w.writeInt256('00' as unknown as Uint8Array), /got string/],
    [(w) => w.writeBytes('00' as unknown as Uint8Array), /Expected a Uint8Array for bytes, got string/],
    [(w) => w.writeString(7 as unknown as string), /Expected a string, got number/],
    [(w) => w.writeBool(1 as unknown as boolean), /Expected a boolean for Bool, got number/],
    [(w) => w.writeString('x'.repeat(MAX_TL_STRING_BYTES + 1)), /at most 1048576 bytes, got 1048577/],
    [(w) => w.writeCount(MAX_TL_VECTOR_ITEMS + 1), /at most 1048576 items, got 1048577/],
    [(w) => w.failKind('PublicKey', { kind: 'nothing' }), /Expected a constructor of PublicKey, got kind nothing/],
  ]
  for (const [fill, message] of refused) {
    const w = new TlWriter()
    w.writeInt(7)
    assert.throws(
      () => fill(w),
      (error) => error instanceof TlError && error.offset === 4 && message.test(error.message),
      String(message),
    )
    assert.equal(toHex(w.finish()), '07000000')
  }
})

test('a writer grows, whatever it is writing at that moment', () => {
  const fill = (w: TlWriter): void => {
    for (let i = 0; i < 50; i++) {
      w.writeInt256(new Uint8Array(32).fill(i))
      w.writeUint(i)
      w.writeEncoded(Uint8Array.of(i, i, i, i))
      w.writeUlong(BigInt(i))
      w.writeBytes(new Uint8Array(i).fill(i))
    }
  }
  const r = new TlReader(write(fill))
  for (let i = 0; i < 50; i++) {
    assert.deepEqual(r.readInt256(), new Uint8Array(32).fill(i))
    assert.equal(r.readUint(), i)
    assert.equal(r.readUint(), i * 0x01010101)
    assert.equal(r.readUlong(), BigInt(i))
    assert.deepEqual(r.readBytes(), new Uint8Array(i).fill(i))
  }
  r.expectEnd()
})

test('writers that are at work together, or left half-way, do not touch each other', () => {
  const results: { readonly bytes: Uint8Array; readonly expected: string }[] = []
  for (let i = 0; i < 500; i++) {
    const a = new TlWriter()
    const b = new TlWriter()
    const abandoned = new TlWriter()
    a.writeBytes(Uint8Array.of(i))
    b.writeInt(i)
    abandoned.writeInt(-1)
    b.writeBytes(new Uint8Array(i % 300).fill(0xbb))
    a.writeBytes(Uint8Array.of(1, 2, 3, 4))
    const number = new Uint8Array(Int32Array.of(i).buffer)
    const tail = toHex(new Uint8Array(i % 300).fill(0xbb))
    const length = i % 300
    const prefix =
      length < 254
        ? length.toString(16).padStart(2, '0')
        : `fe${length
            .toString(16)
            .padStart(4, '0')
            .replace(/(..)(..)/, '$2$1')}00`
    const body = `${prefix}${tail}`
    results.push({ bytes: b.finish(), expected: toHex(number) + body.padEnd(Math.ceil(body.length / 8) * 8, '0') })
    results.push({ bytes: a.finish(), expected: `01${(i & 255).toString(16).padStart(2, '0')}00000401020304000000` })
    a.writeInt(-1)
    results.push({ bytes: write((w) => w.writeBytes(Uint8Array.of(9))), expected: '01090000' })
  }
  for (const { bytes, expected } of results) assert.equal(toHex(bytes), expected)
})

test('an encoded buffer that is transferred away spoils no later writer', () => {
  const bytes = write((w) => w.writeInt(1))
  structuredClone(bytes, { transfer: [bytes.buffer as ArrayBuffer] })
  assert.equal(
    written((w) => w.writeInt(2)),
    '02000000',
  )
})
