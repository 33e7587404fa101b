import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginCell } from '@ton/core'
import fc from 'fast-check'
import { fromCell, toBits } from '../../../test/support/referenceCell.ts'
import { toHex } from '../../primitives/hex.ts'
import type { Cell } from './Cell.ts'
import { openCell } from './CellReader.ts'
import { CellWriter } from './CellWriter.ts'
import { decodeSingleBoc } from './decodeBoc.ts'
import { encodeBoc } from './encodeBoc.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)

type Field =
  | { readonly kind: 'uint' | 'int'; readonly bits: number; readonly value: bigint }
  | { readonly kind: 'varUint' | 'varInt'; readonly lengthBits: number; readonly value: bigint }
  | { readonly kind: 'coins'; readonly value: bigint }
  | { readonly kind: 'bit'; readonly value: boolean }
  | { readonly kind: 'bytes'; readonly value: Uint8Array }
  | { readonly kind: 'bits'; readonly value: string }

const width = fc.oneof(fc.nat(64), fc.nat(257))
const randomBits = (bits: number): fc.Arbitrary<bigint> => fc.bigInt({ min: 0n, max: (1n << BigInt(bits)) - 1n })

const field: fc.Arbitrary<Field> = fc.oneof(
  width.chain((bits) => randomBits(bits).map((value): Field => ({ kind: 'uint', bits, value }))),
  width.chain((bits) =>
    randomBits(bits).map((value): Field => ({ kind: 'int', bits, value: BigInt.asIntN(bits, value) })),
  ),
  fc.constantFrom(3, 4, 5).chain((lengthBits) =>
    fc
      .nat(8 * (2 ** lengthBits - 1))
      .chain(randomBits)
      .map((value): Field => ({ kind: 'varUint', lengthBits, value })),
  ),
  fc.constantFrom(3, 4, 5).chain((lengthBits) =>
    fc
      .nat(8 * (2 ** lengthBits - 1))
      .chain((bits) => randomBits(bits).map((value) => BigInt.asIntN(bits, value)))
      .map((value): Field => ({ kind: 'varInt', lengthBits, value })),
  ),
  randomBits(120).map((value): Field => ({ kind: 'coins', value })),
  fc.boolean().map((value): Field => ({ kind: 'bit', value })),
  fc.uint8Array({ maxLength: 33 }).map((value): Field => ({ kind: 'bytes', value })),
  fc
    .tuple(fc.uint8Array({ maxLength: 20 }), fc.nat(7))
    .map(([bytes, cut]): Field => ({ kind: 'bits', value: toBits(bytes).slice(cut) })),
)

/** The field as text, straight from its definition. */
const spell = (f: Field): string => {
  switch (f.kind) {
    case 'uint':
    case 'int':
      return f.bits === 0 ? '' : BigInt.asUintN(f.bits, f.value).toString(2).padStart(f.bits, '0')
    case 'varUint':
    case 'varInt': {
      let bytes = 0
      const fits = (): boolean =>
        f.kind === 'varInt' ? BigInt.asIntN(8 * bytes, f.value) === f.value : f.value >> BigInt(8 * bytes) === 0n
      while (!fits()) bytes++
      const length = bytes.toString(2).padStart(f.lengthBits, '0')
      return (
        length +
        (bytes === 0
          ? ''
          : BigInt.asUintN(8 * bytes, f.value)
              .toString(2)
              .padStart(8 * bytes, '0'))
      )
    }
    case 'coins':
      return spell({ kind: 'varUint', lengthBits: 4, value: f.value })
    case 'bit':
      return f.value ? '1' : '0'
    case 'bytes':
      return toBits(f.value)
    case 'bits':
      return f.value
  }
}

const bytesOfBits = (text: string): Uint8Array =>
  Uint8Array.from(text.match(/.{1,8}/g) ?? [], (part) => Number.parseInt(part.padEnd(8, '1'), 2))

const write = (w: CellWriter, f: Field): void => {
  switch (f.kind) {
    case 'uint':
      w.writeUintWide(f.value, f.bits)
      return
    case 'int':
      w.writeIntWide(f.value, f.bits)
      return
    case 'varUint':
      w.writeVarUint(f.value, f.lengthBits)
      return
    case 'varInt':
      w.writeVarInt(f.value, f.lengthBits)
      return
    case 'coins':
      w.writeCoins(f.value)
      return
    case 'bit':
      w.writeBit(f.value)
      return
    case 'bytes':
      w.writeBytes(f.value)
      return
    case 'bits':
      w.writeBits(bytesOfBits(f.value), f.value.length)
  }
}

const check = (cell: Cell, fields: readonly Field[]): void => {
  const r = openCell(cell)
  for (const f of fields) {
    switch (f.kind) {
      case 'uint': {
        const other = r.clone()
        assert.equal(r.readUintWide(f.bits), f.value)
        if (f.bits <= 53) assert.equal(other.readUint(f.bits), Number(f.value))
        if (f.bits === 64) assert.equal(other.readUint64(), f.value)
        break
      }
      case 'int': {
        const other = r.clone()
        assert.equal(r.readIntWide(f.bits), f.value)
        if (f.bits <= 53) assert.equal(other.readInt(f.bits), Number(f.value))
        if (f.bits === 64) assert.equal(other.readInt64(), f.value)
        break
      }
      case 'varUint':
        assert.equal(r.readVarUint(f.lengthBits), f.value)
        break
      case 'varInt':
        assert.equal(r.readVarInt(f.lengthBits), f.value)
        break
      case 'coins':
        assert.equal(r.readCoins(), f.value)
        break
      case 'bit':
        assert.equal(r.readBit(), f.value)
        break
      case 'bytes':
        assert.equal(toHex(r.readBytes(f.value.length)), toHex(f.value))
        break
      case 'bits':
        assert.equal(toBits(r.readBits(f.value.length)).slice(0, f.value.length), f.value)
    }
  }
  r.expectEnd('The fields')
}

const fieldList = fc.array(field, { maxLength: 30, size: 'max' }).map((fields) => {
  const kept: Field[] = []
  let bits = 0
  for (const f of fields) {
    bits += spell(f).length
    if (bits <= 1023) kept.push(f)
    else break
  }
  return kept
})

test('fields are written as their definition spells them and read back, from the slab and from a bag', (t) => {
  t.diagnostic(`seed ${seed}`)
  fc.assert(
    fc.property(fieldList, (fields) => {
      const w = new CellWriter()
      for (const f of fields) write(w, f)
      const cell = w.toCell()
      assert.equal(fromCell(cell).bits, fields.map(spell).join(''))
      check(cell, fields)
      check(decodeSingleBoc(encodeBoc([new CellWriter().writeRef(cell).toCell()])).ref(0), fields)
    }),
    { seed, numRuns: 1500 },
  )
})

test('numbers up to 53 bits agree with the wide forms and with @ton/core', (t) => {
  t.diagnostic(`seed ${seed}`)
  const number = fc.nat(53).chain((bits) => fc.tuple(fc.constant(bits), randomBits(bits)))
  fc.assert(
    fc.property(fc.array(number, { maxLength: 18 }), fc.nat(7), (numbers, shift) => {
      const w = new CellWriter().writeUint(0, shift)
      const core = beginCell().storeUint(0, shift)
      for (const [bits, value] of numbers) {
        w.writeUint(Number(value), bits)
        core.storeUint(value, bits)
      }
      assert.equal(toHex(w.toCell().hash()), core.endCell().hash().toString('hex'))
      const signed = new CellWriter().writeUint(0, shift)
      const coreSigned = beginCell().storeUint(0, shift)
      for (const [bits, value] of numbers) {
        if (bits === 0) continue
        signed.writeInt(Number(BigInt.asIntN(bits, value)), bits)
        coreSigned.storeInt(BigInt.asIntN(bits, value), bits)
      }
      assert.equal(toHex(signed.toCell().hash()), coreSigned.endCell().hash().toString('hex'))
    }),
    { seed, numRuns: 1000 },
  )
})

test('coins and numbers of variable length agree with @ton/core', (t) => {
  t.diagnostic(`seed ${seed}`)
  const value = fc.nat(120).chain(randomBits)
  fc.assert(
    fc.property(value, value, (a, b) => {
      const cell = new CellWriter().writeCoins(a).writeVarUint(b, 5).toCell()
      const core = beginCell().storeCoins(a).storeVarUint(b, 5).endCell()
      assert.equal(toHex(cell.hash()), core.hash().toString('hex'))
      const slice = core.beginParse()
      const r = openCell(cell)
      assert.deepEqual([r.readCoins(), r.readVarUint(5)], [slice.loadCoins(), slice.loadVarUintBig(5)])
    }),
    { seed, numRuns: 1000 },
  )
})
