import { sha256 } from '../../primitives/hash.ts'
import { toHex } from '../../primitives/hex.ts'
import { type Cell, type CellSlice, wholeSlice } from '../cell/Cell.ts'
import { type CellReader, openSlice } from '../cell/CellReader.ts'
import { CellWriter } from '../cell/CellWriter.ts'
import { Dict, type DictType, writeDict } from '../cell/Dict.ts'
import { cellValue, hashKey, uintKey } from '../cell/dictTypes.ts'
import { writeWhole } from '../cell/wholeCell.ts'
import { encodeUtf8, writeSnake } from './text.ts'

/** chunked_data#_ data:(HashmapE 32 ^(SnakeData ~0)) = ChunkedData; */
export const chunksType: DictType<number, Cell> = { key: uintKey(32), value: cellValue }

/** A piece of a byte string. Where one ends and the next begins has no meaning. */
export type Chunk = { readonly number: number; readonly bytes: Uint8Array }

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

/** Values stand in a reference of their own; what was not understood goes back as it was. */
const writeEntry = (value: TokenValue): CellSlice => {
  if (value.kind === 'other') return value.slice
  const inner = new CellWriter()
  if (value.kind === 'snake') writeSnake(inner.writeUint(SNAKE, 8), value.bytes)
  else writeChunks(inner.writeUint(CHUNKED, 8), value.chunks)
  return wholeSlice(new CellWriter().writeRef(inner.toCell()).toCell())
}
