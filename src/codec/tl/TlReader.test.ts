import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromHex, toHex } from '../../primitives/hex.ts'
import { TlError, type TlFault } from './TlError.ts'
import { MAX_TL_BYTES, MAX_TL_STRING_BYTES, TlReader } from './TlReader.ts'

const read = (hex: string): TlReader => new TlReader(fromHex(hex.replaceAll(' ', '')))

const throwsTl = (run: () => unknown, fault: TlFault, offset: number, message: RegExp): void => {
  assert.throws(run, (error) => {
    assert.ok(error instanceof TlError, String(error))
    assert.equal(error.code, 'invalid_tl')
    assert.equal(error.name, 'TlError')
    assert.deepEqual([error.fault, error.offset], [fault, offset])
    assert.match(error.message, message)
    return true
  })
}

test('integers are little-endian', () => {
  assert.equal(read('ffffffff').readInt(), -1)
  assert.equal(read('00000080').readInt(), -(2 ** 31))
  assert.equal(read('ffffffff').readUint(), 2 ** 32 - 1)
  assert.equal(read('67b1cdb7').readUint(), 0xb7cdb167)
  assert.equal(read('0100000000000080').readLong(), -(2n ** 63n) + 1n)
  assert.equal(read('0000000000000080').readUlong(), 0x8000_0000_0000_0000n)
  assert.equal(read('182d4454fb210940').readDouble(), Math.PI)
})

test('int128 and int256 are raw bytes in their order', () => {
  const bytes = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f'
  const r = read(bytes + bytes)
  assert.equal(toHex(r.readInt256()), bytes)
  assert.equal(toHex(r.readInt128()), bytes.slice(0, 32))
  assert.equal(r.offset, 48)
  assert.equal(r.remaining, 16)
})

test('Bool is one of two ids', () => {
  assert.equal(read('b5757299').readBool(), true)
  assert.equal(read('379779bc').readBool(), false)
  const r = read('00000000 01000000')
  r.readInt()
  throwsTl(() => r.readBool(), 'bad_value', 4, /Expected Bool .* got 0x00000001/)
})

test('bytes of every length prefix', () => {
  const cases = [
    { hex: '00000000', length: 0, end: 4 },
    { hex: '01aa0000', length: 1, end: 4 },
    { hex: '03aaaaaa', length: 3, end: 4 },
    { hex: '04aaaaaaaa000000', length: 4, end: 8 },
    { hex: `fd${'aa'.repeat(253)}0000`, length: 253, end: 256 },
    { hex: `fefe0000${'aa'.repeat(254)}0000`, length: 254, end: 260 },
    { hex: `feff0000${'aa'.repeat(255)}00`, length: 255, end: 260 },
    { hex: `fe000100${'aa'.repeat(256)}`, length: 256, end: 260 },
  ]
  for (const { hex, length, end } of cases) {
    const r = read(hex)
    assert.equal(toHex(r.readBytes()), 'aa'.repeat(length))
    assert.equal(r.offset, end)
    r.expectEnd()
  }
})

test('the longest prefix is read where the input is allowed to be that long', () => {
  const bytes = new Uint8Array(8 + 2 ** 24)
  bytes.set(fromHex('ff00000001000000'))
  const data = new TlReader(bytes, bytes.length).readBytes()
  assert.equal(data.length, 2 ** 24)
  assert.equal(data.byteOffset, 8)
  throwsTl(() => new TlReader(bytes), 'too_large', 0, /at most 16777216 bytes of input, got 16777224/)
  assert.equal(new TlReader(bytes.subarray(0, MAX_TL_BYTES)).remaining, MAX_TL_BYTES)
})

test('as the node does, it reads a prefix longer than needed and any padding', () => {
  const shortest = read('fe010000aa000000')
  assert.equal(toHex(shortest.readBytes()), 'aa')
  shortest.expectEnd()
  const longest = read('ff02000000000000 aabb0000')
  assert.equal(toHex(longest.readBytes()), 'aabb')
  longest.expectEnd()
  const padded = read('01aabbcc')
  assert.equal(toHex(padded.readBytes()), 'aa')
  padded.expectEnd()
})

test('bytes are views of the input, and plain Uint8Arrays over a Buffer too', () => {
  const input = Buffer.from('0000000002aabb00', 'hex').subarray(4)
  const data = new TlReader(input).readBytes()
  assert.equal(Object.getPrototypeOf(data), Uint8Array.prototype)
  input[1] = 0x11
  assert.equal(toHex(data), '11bb')
})

test('a length that runs past the input says where, with the offset the node would name', () => {
  throwsTl(() => read('').readInt(), 'not_enough_bytes', 0, /Expected 4 more bytes for int, only 0 are left/)
  throwsTl(() => read('0102').readBytes(), 'not_enough_bytes', 0, /Expected 4 more bytes for bytes, only 2/)
  throwsTl(() => read('05aaaaaa').readBytes(), 'not_enough_bytes', 4, /Expected 4 more bytes for bytes, only 0/)
  throwsTl(() => read('04aaaaaaaa0000').readBytes(), 'not_enough_bytes', 4, /Expected 4 more bytes for bytes, only 3/)
  throwsTl(() => read('feffffff').readBytes(), 'not_enough_bytes', 4, /Expected 16777216 more bytes for bytes/)
  throwsTl(() => read('ff000000').readBytes(), 'not_enough_bytes', 4, /Expected 4 more bytes for bytes, only 0/)
  throwsTl(() => read('ffffffffffffffff').readBytes(), 'not_enough_bytes', 8, /only 0 are left/)
  const r = read('01000000 020000')
  r.readInt()
  throwsTl(() => r.readInt(), 'not_enough_bytes', 4, /only 3 are left/)
  assert.equal(r.offset, 4)
})

test('strings are UTF-8, and what is not comes out as U+FFFD', () => {
  assert.equal(read('06d0b0e282ac2100').readString(), 'а€!')
  assert.equal(read('03efbbbf').readString(), '\ufeff')
  assert.equal(read('03e28241').readString(), '\ufffdA')
  const long = new Uint8Array(MAX_TL_STRING_BYTES + 8)
  long.set(fromHex('fe010010'))
  throwsTl(() => new TlReader(long).readString(), 'too_large', 0, /at most 1048576 bytes, its prefix says 1048577/)
})

test('a vector count has to fit the bytes that follow', () => {
  assert.equal(read('02000000 0000000000000000').readCount(4), 2)
  throwsTl(() => read('03000000 0000000000000000').readCount(4), 'bad_value', 0, /count of 3 where only 8 bytes follow/)
  throwsTl(() => read('ffffffff 0000000000000000').readCount(1), 'bad_value', 0, /count of 4294967295/)
  const many = new Uint8Array(4 + 4 * (2 ** 20 + 1))
  many.set(fromHex('01001000'))
  throwsTl(() => new TlReader(many).readCount(4), 'too_large', 0, /at most 1048576 items, got a count of 1048577/)
})

test('ids and ends are checked', () => {
  read('67b1cdb7').expectId(0xb7cdb167, 'tonNode.blockId')
  throwsTl(
    () => read('0d000000').expectId(0xb7cdb167, 'tonNode.blockId'),
    'unknown_constructor',
    0,
    /Expected tonNode\.blockId \(0xb7cdb167\), got constructor 0x0000000d \(TL, at byte 0\)\.$/,
  )
  throwsTl(() => read('00').expectEnd(), 'trailing_bytes', 0, /Expected the end of the object, got 1 more bytes/)
})
