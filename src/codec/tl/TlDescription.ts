import type { TlTypes } from './generated/objects.ts'

/**
 * What stands in a field: a value of TL itself, a constructor by its name, or `union`, where the value says by its `kind`
 * which of several constructors it is. `shard` is a `long` that we read without a sign.
 */
export type TlFieldType = TlBuiltinType | 'union' | keyof TlTypes

export type TlBuiltinType =
  | 'int'
  | '#'
  | 'long'
  | 'shard'
  | 'double'
  | 'int128'
  | 'int256'
  | 'bytes'
  | 'string'
  | 'Bool'
  | 'true'

/** A field by its name in TL and its key in our objects. */
export type TlFieldDescription = {
  readonly name: string
  readonly key: string
  readonly type: TlFieldType
  readonly isVector?: true
  /** Present only where a bit of a flags word says so. */
  readonly isOptional?: true
}

/** A constructor or function as data, for those who show or ask for its fields by name. */
export type TlDescription = {
  /** The constructor of a function's answer. */
  readonly result?: keyof TlTypes
  readonly fields: readonly TlFieldDescription[]
}
