import type { Cell, CellSlice } from '../../codec/cell/Cell.ts'
import { type CellReader, openCell } from '../../codec/cell/CellReader.ts'
import { type Dict, readDict } from '../../codec/cell/Dict.ts'
import { ContentError } from '../../codec/content/ContentBudget.ts'
import { decodeUtf8 } from '../../codec/content/text.ts'
import { contentDictType, hashName, openEntry } from '../../codec/content/tokenContent.ts'
import { findReadable } from '../methods/errors.ts'
import { readCappedChunks, readCappedSnake } from './cappedBytes.ts'

const ON_CHAIN = 0x00
const OFF_CHAIN = 0x01
const SNAKE = 0x00
const CHUNKED = 0x01

const textNames = ['uri', 'name', 'description', 'image', 'symbol', 'decimals', 'amount_style', 'render_type'] as const

/** The attributes of TEP-64 that are text, by their names on the chain. */
export type TextAttributes = Readonly<Partial<Record<(typeof textNames)[number], string>>>

const keys = new Map(['image_data', ...textNames].map((name) => [name, hashName(name)]))

/** What a token says of itself. On-chain content with a `uri` is continued there; nothing is fetched here. */
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
  throw new ContentError(`Token content starts with byte 00 or 01, ${layout.toString(16).padStart(2, '0')} came.`)
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
  throw new ContentError(`Content data starts with byte 00 or 01, ${encoding.toString(16).padStart(2, '0')} came.`)
}
