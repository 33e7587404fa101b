import assert from 'node:assert/strict'
import type { EncodedRows } from '../../src/indexer/blockSets.ts'
import type { Column } from '../../src/store/schema/columns.ts'

/** A value of a row that is on its way to the database: whatever its column holds, or null. */
export type CopiedValue = number | bigint | boolean | string | Uint8Array | object | null

export type CopiedRow = Readonly<Record<string, CopiedValue>>

const readNumeric = (field: DataView): bigint => {
  const [count, weight, sign] = [field.getInt16(0), field.getInt16(2), field.getInt16(4)]
  let value = 0n
  for (let k = 0; k <= weight; k++) value = value * 10_000n + BigInt(k < count ? field.getInt16(8 + 2 * k) : 0)
  return sign === 0 ? value : -value
}

const readField = (type: string, field: DataView): CopiedValue => {
  const bytes = new Uint8Array(field.buffer, field.byteOffset, field.byteLength)
  switch (type) {
    case 'smallint':
      assert.equal(bytes.length, 2)
      return field.getInt16(0)
    case 'integer':
      assert.equal(bytes.length, 4)
      return field.getInt32(0)
    case 'bigint':
      assert.equal(bytes.length, 8)
      return field.getBigInt64(0)
    case 'bytea':
      return bytes.slice()
    case 'numeric':
      return readNumeric(field)
    case 'jsonb':
      assert.equal(bytes[0], 1)
      return JSON.parse(Buffer.from(bytes.subarray(1)).toString()) as object
    default:
      return assert.fail(`columns of type ${type} are not read here`)
  }
}

/** Reads rows as the database does, by the binary form of COPY: this knows nothing of how they were written. */
export const readCopiedRows = (
  columns: Readonly<Record<string, Pick<Column, 'type' | 'nullable'>>>,
  { bytes, ends }: EncodedRows,
): CopiedRow[] => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const names = Object.entries(columns)
  let at = 0
  const rows = Array.from(ends, (end) => {
    assert.equal(view.getInt16(at), names.length, 'as many fields as the table has columns')
    at += 2
    const row: Record<string, CopiedValue> = {}
    for (const [name, { type, nullable }] of names) {
      const length = view.getInt32(at)
      at += 4
      if (length < 0) {
        assert.ok(nullable, `${name} may not be null`)
        row[name] = null
        continue
      }
      row[name] = readField(type, new DataView(view.buffer, view.byteOffset + at, length))
      at += length
    }
    assert.equal(at, end, 'the row ends where it is said to')
    return row
  })
  assert.equal(at, bytes.length)
  return rows
}
