import type { Cell, CellSlice } from '../../codec/cell/Cell.ts'
import { type CellReader, openCell } from '../../codec/cell/CellReader.ts'
import { type Dict, readDict, visitEntries } from '../../codec/cell/Dict.ts'
import { ContentError, ContentLimitError } from '../../codec/content/ContentBudget.ts'
import { decodeUtf8 } from '../../codec/content/text.ts'
import { chunksType, contentDictType, hashName, openEntry } from '../../codec/content/tokenContent.ts'
import { findReadable } from '../getMethods.ts'

/** Services show this much of one value; the rest of a longer one is not looked at. */
const MAX_BITS = 8 * 8192
/** Cells may hold no bits at all and be shared, so bits alone bound nothing. */
const MAX_CELLS = 2048
const MAX_NODES = 8192

/** Collects the bits of cells until the next cell would be too much. */
class CappedBits {
  private readonly bytes = new Uint8Array(MAX_BITS / 8)
  private used = 0
  private cells = 0

  /** Takes what is left of a cell, or says that it does not fit. */
  take(r: CellReader): boolean {
    const bits = r.remainingBits
    if (++this.cells > MAX_CELLS) {
      throw new ContentLimitError(`A value runs through more than ${MAX_CELLS} cells, the most that is read of one.`)
    }
    if (this.used + bits > MAX_BITS) return false
    r.readBitsInto(this.bytes, this.used, bits)
    this.used += bits
    return true
  }

  finish(): Uint8Array {
    if (this.used % 8 !== 0) {
      throw new ContentError(`A byte string in cells has whole bytes, this one has ${this.used} bits.`)
    }
    return this.bytes.slice(0, this.used / 8)
  }
}

const takeSnake = (bits: CappedBits, first: CellReader): boolean => {
  for (let r = first; ; r = r.readRef()) {
    if (!bits.take(r)) return false
    if (r.remainingRefs === 0) return true
  }
}

/** Bytes in a chain of cells, as many whole cells of them as 8192 bytes have room for. */
const readCappedSnake = (r: CellReader): Uint8Array => {
  const bits = new CappedBits()
  takeSnake(bits, r)
  return bits.finish()
}

/** chunked_data#_ data:(HashmapE 32 ^(SnakeData ~0)) = ChunkedData; in the order of the numbers, capped the same way. */
const readCappedChunks = (r: CellReader): Uint8Array => {
  const bits = new CappedBits()
  visitEntries(readDict(r, chunksType), { maxNodes: MAX_NODES }, (_, chunk) => takeSnake(bits, openCell(chunk)))
  return bits.finish()
}

const ON_CHAIN = 0x00
const OFF_CHAIN = 0x01
const SNAKE = 0x00
const CHUNKED = 0x01

const textNames = ['uri', 'name', 'description', 'image', 'symbol', 'decimals', 'amount_style', 'render_type'] as const

/** The attributes of TEP-64 that are text, by their names on the chain. */
export type TextAttributes = Readonly<Partial<Record<(typeof textNames)[number], string>>>

const keys = new Map(['image_data', ...textNames].map((name) => [name, hashName(name)]))

/** The metadata of a token. On-chain content with a `uri` continues off-chain; this code fetches nothing. */
export type TokenContent =
  | { readonly kind: 'offChain'; readonly uri: string }
  | { readonly kind: 'onChain'; readonly texts: TextAttributes; readonly imageData: Uint8Array | undefined }

/**
 * Content as services show it: the attributes of the standard alone, what is not readable left out, long values cut at
 * {@link readCappedSnake}'s limit. Content that is not laid out as TEP-64 says is an error.
 */
export const readTokenContent = (cell: Cell): TokenContent => {
  const r = openCell(cell)
  const layout = r.readUint(8)
  if (layout === OFF_CHAIN) return { kind: 'offChain', uri: decodeUtf8(readCappedSnake(r)) }
  if (layout === ON_CHAIN) return readOnChain(readDict(r, contentDictType))
  throw new ContentError(`Token content starts with byte 00 or 01, but got ${layout.toString(16).padStart(2, '0')}.`)
}

const readOnChain = (dict: Dict<Uint8Array, CellSlice>): TokenContent => {
  const texts: Partial<Record<(typeof textNames)[number], string>> = {}
  for (const name of textNames) {
    const entry = dict.find(keys.get(name)!)
    if (entry === undefined) continue
    const text = findReadable(() => decodeUtf8(readValue(openEntry(entry))))
    if (text !== undefined) texts[name] = text
  }
  const image = dict.find(keys.get('image_data')!)
  const imageData = image === undefined ? undefined : findReadable(() => readValue(openEntry(image)))
  return { kind: 'onChain', texts, imageData }
}

/** snake#00 data:(SnakeData ~n) = ContentData; chunks#01 data:ChunkedData = ContentData; */
const readValue = (r: CellReader): Uint8Array => {
  const encoding = r.readUint(8)
  if (encoding === SNAKE) return readCappedSnake(r)
  if (encoding === CHUNKED) return readCappedChunks(r)
  throw new ContentError(`Content data starts with byte 00 or 01, but got ${encoding.toString(16).padStart(2, '0')}.`)
}
