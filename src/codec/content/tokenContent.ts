import { concatBytes } from '../../primitives/bytes.ts'
import { sha256 } from '../../primitives/hash.ts'
import { toHex } from '../../primitives/hex.ts'
import { type Cell, type CellSlice, wholeSlice } from '../cell/Cell.ts'
import { type CellReader, openCell, openSlice } from '../cell/CellReader.ts'
import { CellWriter } from '../cell/CellWriter.ts'
import { Dict, type DictType, readDict, writeDict } from '../cell/Dict.ts'
import { cellValue, hashKey, uintKey } from '../cell/dictTypes.ts'
import { CellError } from '../cell/errors.ts'
import { writeWhole } from '../cell/wholeCell.ts'
import { ContentBudget, ContentError, ContentLimitError, type ContentLimits } from './ContentBudget.ts'
import { encodeUtf8, readSnakeWithin, writeSnake } from './text.ts'

const chunksType: DictType<number, Cell> = { key: uintKey(32), value: cellValue }

/** A piece of a byte string. Where one ends and the next begins has no meaning. */
type Chunk = { readonly number: number; readonly bytes: Uint8Array }

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

const writeChunks = (w: CellWriter, chunks: readonly Chunk[]): void => {
  const entries = chunks.map(({ number, bytes }) => [number, writeWhole(writeSnake, bytes)] as const)
  writeDict(w, Dict.of(chunksType, entries))
}

/** A dictionary by the SHA-256 of names, as tokens and domains have them. Values are opened with `openEntry`. */
export const contentDictType: DictType<Uint8Array, CellSlice> = {
  key: hashKey,
  value: { read: (r) => r.readRest(), write: (w, slice) => void w.writeSlice(slice) },
}

/** The standards put a value into a reference of its own; some contracts write it in place, which readers have to bear. */
export const openEntry = (entry: CellSlice): CellReader => {
  const r = openSlice(entry)
  return r.remainingBits === 0 && r.remainingRefs === 1 ? r.readRef() : r
}

/** The key under which the attribute of this name is kept. */
export const hashName = (name: string): Uint8Array => sha256(encodeUtf8(name))

/** Finds the name behind a key, if it is one of these. */
export const createNameLookup = (names: readonly string[]): ((key: Uint8Array) => string | undefined) => {
  const byHash = new Map(names.map((name) => [toHex(hashName(name)), name]))
  return (key) => byHash.get(toHex(key))
}

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

export type TokenValue =
  | { readonly kind: 'snake'; readonly bytes: Uint8Array }
  | { readonly kind: 'chunked'; readonly chunks: readonly Chunk[] }
  /** Not content data as the standard has it: another structure, or bits that are no bytes. */
  | { readonly kind: 'other'; readonly slice: CellSlice }

export type TokenAttribute = {
  /** SHA-256 of the name. */
  readonly key: Uint8Array
  /** The name, where it is one of the known. */
  readonly name: string | undefined
  readonly value: TokenValue
}

/** Content with an attribute `uri` is called semi-chain: part of it is at that address. */
export type TokenContent =
  | { readonly kind: 'offChain'; readonly uri: Uint8Array }
  | { readonly kind: 'onChain'; readonly attributes: readonly TokenAttribute[] }

/** onchain#00 data:(HashmapE 256 ^ContentData) = FullContent; offchain#01 uri:Text = FullContent; */
export const readTokenContent = (r: CellReader, limits: ContentLimits = DEFAULT_CONTENT_LIMITS): TokenContent => {
  const budget = new ContentBudget(limits)
  const layout = r.readUint(8)
  if (layout === OFF_CHAIN) return { kind: 'offChain', uri: readSnakeWithin(r, budget) }
  if (layout === ON_CHAIN) return { kind: 'onChain', attributes: readAttributes(r, budget) }
  throw new ContentError(`Token content starts with byte 00 or 01, ${layout.toString(16).padStart(2, '0')} came.`)
}

export const writeTokenContent = (w: CellWriter, content: TokenContent): void => {
  if (content.kind === 'offChain') {
    w.writeUint(OFF_CHAIN, 8)
    writeSnake(w, content.uri)
    return
  }
  w.writeUint(ON_CHAIN, 8)
  const entries = content.attributes.map(({ key, value }) => [key, writeEntry(value)] as const)
  writeDict(w, Dict.of(contentDictType, entries))
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
  throw new ContentError(`Content data starts with byte 00 or 01, ${encoding.toString(16).padStart(2, '0')} came.`)
}

/** Values stand in a reference of their own; what was not understood goes back as it was. */
const writeEntry = (value: TokenValue): CellSlice => {
  if (value.kind === 'other') return value.slice
  const inner = new CellWriter()
  if (value.kind === 'snake') writeSnake(inner.writeUint(SNAKE, 8), value.bytes)
  else writeChunks(inner.writeUint(CHUNKED, 8), value.chunks)
  return wholeSlice(new CellWriter().writeRef(inner.toCell()).toCell())
}
