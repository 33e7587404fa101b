import type { CellSlice } from '../../src/codec/cell/Cell.ts'
import { type CellReader, openCell } from '../../src/codec/cell/CellReader.ts'
import { readDict } from '../../src/codec/cell/Dict.ts'
import { CellError } from '../../src/codec/cell/errors.ts'
import {
  ContentBudget,
  ContentError,
  ContentLimitError,
  type ContentLimits,
} from '../../src/codec/content/ContentBudget.ts'
import { readSnakeWithin } from '../../src/codec/content/text.ts'
import {
  type Chunk,
  chunksType,
  contentDictType,
  createNameLookup,
  openEntry,
  type TokenAttribute,
  type TokenContent,
  type TokenValue,
} from '../../src/codec/content/tokenContent.ts'
import { concatBytes } from '../../src/primitives/bytes.ts'

// Reads token content whole, every attribute and chunk of it: for tests, beside the reader of the product, which takes what it shows.

const ON_CHAIN = 0x00
const OFF_CHAIN = 0x01
const SNAKE = 0x00
const CHUNKED = 0x01

/** Names of attributes that TEP-64 and wide use know. */
const findAttributeName = createNameLookup([
  'uri',
  'name',
  'description',
  'image',
  'image_data',
  'symbol',
  'decimals',
  'amount_style',
  'render_type',
  'cover_image',
  'social_links',
])

const MAX_ATTRIBUTES = 1024

/** An account state has at most 65536 cells; all attributes count together. */
const DEFAULT_CONTENT_LIMITS: ContentLimits = { maxCells: 1 << 16, maxBytes: 1 << 22 }

/**
 * chunked_data#_ data:(HashmapE 32 ^(SnakeData ~0)) = ChunkedData;
 *
 * The pieces in the order of their numbers, which should run from 0 on but have gaps in the wild.
 */
const readChunks = (r: CellReader, budget: ContentBudget): Chunk[] => {
  const chunks: Chunk[] = []
  readDict(r, chunksType).forEach((number, cell) => {
    chunks.push({ number, bytes: readSnakeWithin(openCell(cell), budget) })
  })
  return chunks
}

/** onchain#00 data:(HashmapE 256 ^ContentData) = FullContent; offchain#01 uri:Text = FullContent; */
export const readTokenContent = (r: CellReader, limits: ContentLimits = DEFAULT_CONTENT_LIMITS): TokenContent => {
  const budget = new ContentBudget(limits)
  const layout = r.readUint(8)
  if (layout === OFF_CHAIN) return { kind: 'offChain', uri: readSnakeWithin(r, budget) }
  if (layout === ON_CHAIN) return { kind: 'onChain', attributes: readAttributes(r, budget) }
  throw new ContentError(`Token content starts with byte 00 or 01, but got ${layout.toString(16).padStart(2, '0')}.`)
}

/** The attribute of this name, in on-chain content. */
export const findAttribute = (content: TokenContent, name: string): TokenValue | undefined =>
  content.kind === 'onChain' ? content.attributes.find((attribute) => attribute.name === name)?.value : undefined

/** The bytes of a value, or `undefined` where it is not content data. */
export const tokenValueBytes = (value: TokenValue): Uint8Array | undefined => {
  switch (value.kind) {
    case 'snake':
      return value.bytes
    case 'chunked':
      return concatBytes(value.chunks.map(({ bytes }) => bytes))
    case 'other':
      return undefined
  }
}

const readAttributes = (r: CellReader, budget: ContentBudget): TokenAttribute[] => {
  const attributes: TokenAttribute[] = []
  readDict(r, contentDictType).forEach((key, entry) => {
    if (attributes.length === MAX_ATTRIBUTES) {
      throw new ContentLimitError(`Token content has more than ${MAX_ATTRIBUTES} attributes, the most taken here.`)
    }
    attributes.push({ key, name: findAttributeName(key), value: readTokenValue(entry, budget) })
  })
  return attributes
}

/** One attribute that cannot be read takes nothing from the others. */
const readTokenValue = (entry: CellSlice, budget: ContentBudget): TokenValue => {
  try {
    return readContentData(openEntry(entry), budget)
  } catch (error) {
    if (error instanceof ContentError || error instanceof CellError) return { kind: 'other', slice: entry }
    throw error
  }
}

/** snake#00 data:(SnakeData ~n) = ContentData; chunks#01 data:ChunkedData = ContentData; */
const readContentData = (r: CellReader, budget: ContentBudget): TokenValue => {
  const encoding = r.readUint(8)
  if (encoding === SNAKE) return { kind: 'snake', bytes: readSnakeWithin(r, budget) }
  if (encoding === CHUNKED) return { kind: 'chunked', chunks: readChunks(r, budget) }
  throw new ContentError(`Content data starts with byte 00 or 01, but got ${encoding.toString(16).padStart(2, '0')}.`)
}
