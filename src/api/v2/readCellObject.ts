import { Type } from 'typebox'
import type { Cell } from '../../codec/cell/Cell.ts'
import { buildCell } from '../../codec/cell/CellWriter.ts'
import { MAX_BITS } from '../../codec/cell/exotic.ts'
import { CodedError } from '../../primitives/errors.ts'
import { findMember, isJsonObject, type JsonValue } from '../core/json/JsonValue.ts'
import { param, shownAs } from '../core/Param.ts'
import { decodeBase64 } from './decodeBag.ts'
import { CellObjectError } from './errors.ts'
import { type CellObject, CellObjectView } from './views/CellObjectView.ts'

/** A cell as a JSON object. The call reads it, because a malformed one has a status of its own. */
export const cellObjectParam = (description: string) =>
  shownAs(
    param(Type.Unsafe<CellObject>(Type.Unknown())),
    Type.Intersect([CellObjectView], {
      description,
      examples: [{ data: { b64: 'AAAAAGhlbGxv', len: 72 }, refs: [], special: false }],
    }),
  )

/** What nodes take of a message: cells, and levels of them. */
const MAX_CELLS = 8192
const MAX_LEVELS = 512
const MAX_REFS = 4
/** The base64 of the most bytes that a cell has. */
const MAX_TEXT = 4 * Math.ceil(((MAX_BITS + 7) >> 3) / 3)

/** Reads a cell from `{"data": {"b64", "len"}, "refs", "special"}`, all cells below it included. No member may be left out. */
export const readCellObject = (object: unknown): Cell => {
  let count = 0
  const read = (value: JsonValue | undefined, level: number): Cell => {
    if (level > MAX_LEVELS || ++count > MAX_CELLS || !isJsonObject(value)) throw new CellObjectError()
    const [refs, special] = [findMember(value, 'refs'), findMember(value, 'special')]
    if (!Array.isArray(refs) || refs.length > MAX_REFS || typeof special !== 'boolean') throw new CellObjectError()
    const { bytes, bits } = readData(findMember(value, 'data'))
    const children = refs.map((ref: JsonValue) => read(ref, level + 1))
    try {
      return buildCell(bytes, bits, children, special ? 8 : 0)
    } catch (error) {
      if (!(error instanceof CodedError)) throw error
      throw new CellObjectError(error)
    }
  }
  return read(object as JsonValue | undefined, 0)
}

type CellData = { readonly bytes: Uint8Array; readonly bits: number }

/** `len` bits at the start of the bytes; those behind them say nothing. */
const readData = (data: JsonValue | undefined): CellData => {
  if (!isJsonObject(data)) throw new CellObjectError()
  const [b64, len] = [findMember(data, 'b64'), findMember(data, 'len')]
  const isLength = typeof len === 'number' && Number.isInteger(len) && len >= 0 && len <= MAX_BITS
  if (!isLength || typeof b64 !== 'string' || b64.length > MAX_TEXT) throw new CellObjectError()
  const bytes = decodeBase64(b64, () => new CellObjectError())
  if (8 * bytes.length < len) throw new CellObjectError()
  return { bytes, bits: len }
}
