import type { Dict, DictType } from '../cell/Dict.ts'
import { readDict, readInlineDict, writeDict, writeInlineDict } from '../cell/Dict.ts'
import { uintValue, type ValueCodec } from '../cell/dictTypes.ts'
import { readWholeRef, writeWhole } from '../cell/wholeCell.ts'
import { readMaybe, writeMaybe } from './scalars.ts'

// One description of a type gives its reader, its writer and its TypeScript type. For values that are read rarely, such as configuration
// parameters: types of blocks and transactions have straight-line readers.

export const uint8 = uintValue(8)
export const uint16 = uintValue(16)
export const uint32 = uintValue(32)

export const int32: ValueCodec<number> = { read: (r) => r.readInt(32), write: (w, value) => void w.writeInt(value, 32) }

export const uint64: ValueCodec<bigint> = {
  read: (r) => r.readUint64(),
  write: (w, value) => void w.writeUint64(value),
}

export const coins: ValueCodec<bigint> = { read: (r) => r.readCoins(), write: (w, value) => void w.writeCoins(value) }

export const bool: ValueCodec<boolean> = { read: (r) => r.readBit(), write: (w, value) => void w.writeBit(value) }

export const bits256: ValueCodec<Uint8Array> = {
  read: (r) => r.readBytes(32),
  write: (w, value) => void w.writeBytes(value),
}

/** (Maybe X) */
export const maybe = <T>({ read, write }: ValueCodec<T>): ValueCodec<T | undefined> => ({
  read: (r) => readMaybe(r, read),
  write: (w, value) => writeMaybe(w, write, value),
})

/** ^X, which must fill its cell; `what` names it in errors. */
export const refTo = <T>(what: string, { read, write }: ValueCodec<T>): ValueCodec<T> => ({
  read: (r) => readWholeRef(r, read, what),
  write: (w, value) => void w.writeRef(writeWhole(write, value)),
})

/** (HashmapE n X) */
export const dictOf = <K, V>(type: DictType<K, V>): ValueCodec<Dict<K, V>> => ({
  read: (r) => readDict(r, type),
  write: (w, value) => writeDict(w, value),
})

/** (Hashmap n X) */
export const inlineDictOf = <K, V>(type: DictType<K, V>): ValueCodec<Dict<K, V>> => ({
  read: (r) => readInlineDict(r, type),
  write: (w, value) => writeInlineDict(w, value),
})

/** The type of the values of a codec. */
export type ValueOf<Codec> = Codec extends ValueCodec<infer Value> ? Value : never

type Fields = Readonly<Record<string, ValueCodec<unknown>>>

/** Fields one after another. */
export const record = <F extends Fields>(fields: F): ValueCodec<{ readonly [Name in keyof F]: ValueOf<F[Name]> }> => {
  const entries = Object.entries(fields)
  return {
    read: (r) => {
      const value: Record<string, unknown> = {}
      for (const [name, codec] of entries) value[name] = codec.read(r)
      return value as never
    },
    write: (w, value) => {
      for (const [name, { write }] of entries) write(w, value[name])
    },
  }
}

/** A value after a constructor tag. */
export const tagged = <T>(tag: number, bits: number, { read, write }: ValueCodec<T>): ValueCodec<T> => ({
  read: (r) => {
    r.expectTag(tag, bits)
    return read(r)
  },
  write: (w, value) => {
    w.writeUint(tag, bits)
    write(w, value)
  },
})
