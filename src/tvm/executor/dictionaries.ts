import type { Cell } from '../../codec/cell/Cell.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import type { ExtraCurrencies } from '../../codec/tlb/CurrencyCollection.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { VmInputError } from '../errors.ts'
import { shrink } from '../machine/bits.ts'
import {
  deleteFromDictionary,
  findInDictionary,
  type NodeAccess,
  newKey,
  type OpenNode,
  setInDictionary,
  walkDictionary,
} from '../machine/dictionary.ts'
import { CELL_UNDERFLOW, DICTIONARY_ERROR, fault, VmFault } from '../machine/faults.ts'
import { mergeDictionaries } from '../machine/mergeDictionaries.ts'
import { type Builder, Slice } from '../machine/values.ts'

/**
 * Dictionaries in transactions, which may be malformed: contracts write them as they like. They are read as the machine reads them, so a
 * fork is two references and nothing else; what cannot be read is told by a result, or by the error that names the input.
 */

/** So many cells of an action or a StateInit are looked into. What has more is malformed. */
export const MAX_CHECKED_CELLS = 1024

/** An account cannot have more libraries than this by far. */
const MAX_LIBRARY_NODES = 1 << 16

const openAtMost = (nodes: number): OpenNode => {
  let left = nodes
  return (cell) => (cell.isExotic || left-- <= 0 ? fault(CELL_UNDERFLOW) : Slice.of(cell))
}

const PLAIN_NODES: NodeAccess = {
  open: (cell) => (cell.isExotic ? fault(CELL_UNDERFLOW) : Slice.of(cell)),
  create: (builder) => builder.toCell(),
}

/** False where `read` meets something malformed. */
const isReadable = (read: () => void): boolean => {
  try {
    read()
    return true
  } catch (error) {
    if (error instanceof VmFault) return false
    throw error
  }
}

const isWellFormed = (
  root: Cell | undefined,
  keyBits: number,
  maxNodes: number,
  isValue: (value: Slice) => boolean,
): boolean => {
  if (root === undefined) return true
  const check = (_key: Uint8Array, value: Slice): void => {
    if (!isValue(value)) fault(DICTIONARY_ERROR)
  }
  return isReadable(() => walkDictionary(root, keyBits, check, openAtMost(maxNodes)))
}

// --- extra currencies

const CURRENCY_BITS = 32
const LENGTH_BITS = 5
const MAX_AMOUNT_BYTES = 31

const isAmount = (value: Slice): boolean =>
  value.refs === 0 && value.bits >= LENGTH_BITS && value.bits === LENGTH_BITS + 8 * value.small(LENGTH_BITS)

/** Above zero, and without zero bytes before it. */
const isShortestAmount = (value: Slice): boolean =>
  isAmount(value) && value.bits > LENGTH_BITS && value.small(8, LENGTH_BITS) !== 0

const rootOf = ({ root }: ExtraCurrencies): Cell | undefined => root as Cell | undefined

/** Whether there is a dictionary of amounts, however they are written. */
export const isCurrencyDict = (extra: ExtraCurrencies, maxNodes: number): boolean =>
  isWellFormed(rootOf(extra), CURRENCY_BITS, maxNodes, isAmount)

/** Whether all amounts are above zero and written as short as they can be. */
export const hasShortestAmounts = (extra: ExtraCurrencies): boolean =>
  isWellFormed(rootOf(extra), CURRENCY_BITS, MAX_CHECKED_CELLS, isShortestAmount)

/** The sum of both; neither is empty. */
export const mergeCurrencies = (a: ExtraCurrencies, b: ExtraCurrencies): ExtraCurrencies => {
  const sum = (leaf: Builder, first: Slice, second: Slice): Builder => {
    const value = amountOf(first) + amountOf(second)
    const bytes = Math.ceil(value.toString(2).length / 8)
    if (bytes > MAX_AMOUNT_BYTES) throw new VmInputError('The sum of an extra currency does not fit.')
    return leaf.withInteger(bytes, LENGTH_BITS).withInteger(shrink(value), 8 * bytes)
  }
  return new Dict(a.type, mergeDictionaries(rootOf(a)!, rootOf(b)!, CURRENCY_BITS, sum, PLAIN_NODES))
}

const amountOf = (value: Slice): bigint => BigInt(value.skip(LENGTH_BITS).uint(8 * value.small(LENGTH_BITS)))

// --- libraries

const HASH_BITS = 256

/** Whether the libraries of a StateInit are well-formed. The hashes they stand under are not looked at. */
export const isLibraryDict = (root: Cell | undefined, maxNodes: number): boolean =>
  isWellFormed(root, HASH_BITS, maxNodes, ({ bits, refs }) => bits === 1 && refs === 1)

/** A library of an account. More than its mark and its cell may stand there. */
export type KnownLibrary = { readonly isPublic: boolean; readonly root: Cell }

const readLibrary = (value: Slice): KnownLibrary => {
  if (value.refs === 0) throw new VmInputError('A library of the account has no cell.')
  return { isPublic: value.bits === 0 || value.small(1) === 1, root: value.ref(0) }
}

const keyOf = (hash: Uint8Array): Uint8Array => {
  const key = newKey()
  key.set(hash)
  return key
}

/** The libraries of an account, as a contract changes them. Raises an exception of the machine where the dictionary is malformed. */
export const findLibrary = (root: Cell | undefined, hash: Uint8Array): KnownLibrary | undefined => {
  const value = findInDictionary(root ?? null, HASH_BITS, keyOf(hash), 0, PLAIN_NODES.open)
  return value && readLibrary(value)
}

export const setLibrary = (root: Cell | undefined, hash: Uint8Array, { isPublic, root: cell }: KnownLibrary): Cell =>
  setInDictionary(
    root ?? null,
    HASH_BITS,
    keyOf(hash),
    (leaf) => leaf.withInteger(isPublic ? 1 : 0, 1).withRef(cell),
    'set',
    PLAIN_NODES,
  ).root!

export const deleteLibrary = (root: Cell | undefined, hash: Uint8Array): Cell | undefined => {
  const deleted = deleteFromDictionary(root ?? null, HASH_BITS, keyOf(hash), PLAIN_NODES)
  return deleted === undefined ? root : (deleted.root ?? undefined)
}

/** How many libraries are public and stand under their own hash. */
export const countPublicLibraries = (root: Cell | undefined): number => {
  let count = 0
  const visit = (key: Uint8Array, value: Slice): void => {
    const isPublic = value.bits > 0 && value.small(1) === 1
    if (isPublic && value.refs > 0 && bytesEqual(value.ref(0).hash(), key.subarray(0, 32))) count++
  }
  const isRead = isReadable(() => walkDictionary(root ?? null, HASH_BITS, visit, openAtMost(MAX_LIBRARY_NODES)))
  if (!isRead) throw new VmInputError('The libraries of the account are no dictionary.')
  return count
}
