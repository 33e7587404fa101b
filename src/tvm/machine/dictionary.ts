import type { Cell } from '../../codec/cell/Cell.ts'
import { copyBits, firstDifferentBit, peekBits } from './bits.ts'
import { CELL_UNDERFLOW, DICTIONARY_ERROR, fault } from './faults.ts'
import { Builder, type Slice } from './values.ts'

/** Loads a node. Every node that is visited is charged, also a second time. */
export type OpenNode = (cell: Cell) => Slice

/** How a dictionary is changed: nodes are loaded and created for gas. */
export type NodeAccess = { readonly open: OpenNode; readonly create: (builder: Builder) => Cell }

/** `set` always writes, `replace` only over a value, `add` only where there is none. */
export type SetMode = 'set' | 'replace' | 'add'

/** Writes the value behind the label of a leaf. */
export type StoreValue = (leaf: Builder) => Builder

/** Bits of a key: left-aligned in a buffer, from bit `at` on. */
const KEY_BYTES = 128 + 8

export const newKey = (): Uint8Array => new Uint8Array(KEY_BYTES)

export const keyBit = (key: Uint8Array, at: number): number => (key[at >> 3]! >> (7 - (at & 7))) & 1

const setKeyBit = (key: Uint8Array, at: number, bit: number): void => {
  const mask = 0x80 >> (at & 7)
  if (bit === 0) key[at >> 3]! &= ~mask
  else key[at >> 3]! |= mask
}

type Label = {
  readonly length: number
  /** The bit of which a label of equal bits consists, −1 where the bits are written out. */
  readonly same: number
  /** From the bits of the label on, or from what follows it where it has none of its own. */
  readonly body: Slice
}

const lengthBits = (max: number): number => 32 - Math.clz32(max)

const parseLabel = (node: Slice, max: number): Label => {
  const { bits } = node
  if (bits < 2) fault(CELL_UNDERFLOW)
  const kind = node.small(2)
  if (kind === 0) return { length: 0, same: -1, body: node.skip(2) }
  if (kind === 1) {
    const length = node.skip(1).countLeading(1)
    if (length > max || bits - 1 < 2 * length + 1) fault(CELL_UNDERFLOW)
    return { length, same: -1, body: node.skip(length + 2) }
  }
  const size = lengthBits(max)
  const head = kind === 2 ? 2 : 3
  if (bits < head + size) fault(CELL_UNDERFLOW)
  const length = node.small(size, head)
  const body = node.skip(head + size)
  if (length > max || (kind === 2 && body.bits < length)) fault(CELL_UNDERFLOW)
  return { length, same: kind === 2 ? -1 : node.small(1, 2), body }
}

/** Bits of the label that stand in the node itself. */
const ownBits = ({ same, length }: Label): number => (same < 0 ? length : 0)

export const afterLabel = (label: Label): Slice => label.body.skip(ownBits(label))

/** A node of a plain dictionary with `left` key bits to go: a fork is two references and nothing else. */
export const openLabel = (cell: Cell, left: number, open: OpenNode): Label => {
  const label = parseLabel(open(cell), left)
  if (label.length < left && (label.body.bits !== ownBits(label) || label.body.refs !== 2)) fault(DICTIONARY_ERROR)
  return label
}

/** How many bits of the label the key from `at` on shares, at most `limit`. */
const sharedBits = ({ length, same, body }: Label, key: Uint8Array, at: number, limit: number): number => {
  const most = Math.min(length, limit)
  if (same < 0) return firstDifferentBit(body.bytes, body.offset, key, at, most)
  let shared = 0
  while (shared < most && keyBit(key, at + shared) === same) shared++
  return shared
}

export const copyLabel = ({ length, same, body }: Label, key: Uint8Array, at: number): void => {
  for (let k = 0; k < length; k++) setKeyBit(key, at + k, same < 0 ? body.small(1, k) : same)
}

const isUniform = (key: Uint8Array, from: number, length: number): boolean => {
  const first = keyBit(key, from)
  for (let k = 1; k < length; k++) if (keyBit(key, from + k) !== first) return false
  return true
}

export const appendLabel = (to: Builder, key: Uint8Array, from: number, length: number, max: number): Builder => {
  const size = lengthBits(max)
  if (length > 1 && size < 2 * length - 1 && isUniform(key, from, length)) {
    return to.withInteger(6 + keyBit(key, from), 3).withInteger(length, size)
  }
  const head =
    size < length
      ? to.withInteger(2, 2).withInteger(length, size)
      : to.withInteger(0, 1).withSame(1, length).withInteger(0, 1)
  return length === 0 ? head : head.withBits(key, from, length)
}

/** The value of a key, or `undefined`. */
export const findInDictionary = (
  root: Cell | null,
  keyBits: number,
  key: Uint8Array,
  from: number,
  open: OpenNode,
): Slice | undefined => {
  if (root === null) return undefined
  let at = from
  let left = keyBits
  for (let cell = root; ; ) {
    const label = openLabel(cell, left, open)
    if (sharedBits(label, key, at, left) < label.length) return undefined
    at += label.length
    left -= label.length
    if (left === 0) return afterLabel(label)
    cell = label.body.ref(keyBit(key, at))
    at++
    left--
  }
}

export type SetResult = {
  /** The new root, `undefined` where nothing changed. */
  readonly root: Cell | undefined
  readonly old: Slice | undefined
}

const UNCHANGED: SetResult = { root: undefined, old: undefined }

/** Sets a key, and gives the value that was there. */
export const setInDictionary = (
  root: Cell | null,
  keyBits: number,
  key: Uint8Array,
  store: StoreValue,
  mode: SetMode,
  access: NodeAccess,
): SetResult => {
  const leaf = (at: number, left: number): Cell => access.create(store(appendLabel(Builder.empty, key, at, left, left)))
  const set = (cell: Cell, at: number, left: number): SetResult => {
    const label = openLabel(cell, left, access.open)
    const shared = sharedBits(label, key, at, left)
    if (shared < label.length) {
      if (mode === 'replace') return UNCHANGED
      const below = left - shared - 1
      const added = leaf(at + shared + 1, below)
      const moved = access.create(shortenLabel(label, shared + 1, below).withSlice(afterLabel(label)))
      const isRight = keyBit(key, at + shared) === 1
      const fork = appendLabel(Builder.empty, key, at, shared, left)
        .withRef(isRight ? moved : added)
        .withRef(isRight ? added : moved)
      return { root: access.create(fork), old: undefined }
    }
    if (label.length === left) {
      const old = afterLabel(label)
      return mode === 'add' ? { root: undefined, old } : { root: leaf(at, left), old }
    }
    const children: [Cell, Cell] = [label.body.ref(0), label.body.ref(1)]
    const side = keyBit(key, at + label.length) as 0 | 1
    const result = set(children[side], at + label.length + 1, left - label.length - 1)
    if (result.root === undefined) return result
    children[side] = result.root
    const fork = appendLabel(Builder.empty, key, at, label.length, left).withRef(children[0]).withRef(children[1])
    return { root: access.create(fork), old: result.old }
  }
  if (root !== null) return set(root, 0, keyBits)
  return mode === 'replace' ? UNCHANGED : { root: leaf(0, keyBits), old: undefined }
}

/** The label without its first `from` bits, for a node that moved down. */
const shortenLabel = (label: Label, from: number, max: number): Builder => {
  const bits = newKey()
  copyLabel(label, bits, 0)
  return appendLabel(Builder.empty, bits, from, label.length - from, max)
}

export type DeleteResult = { readonly root: Cell | null; readonly old: Slice }

/** Deletes a key; `undefined` where it was not there. */
export const deleteFromDictionary = (
  root: Cell | null,
  keyBits: number,
  key: Uint8Array,
  access: NodeAccess,
): DeleteResult | undefined => {
  const remove = (cell: Cell, at: number, left: number): DeleteResult | undefined => {
    const label = openLabel(cell, left, access.open)
    if (sharedBits(label, key, at, left) < label.length) return undefined
    if (label.length === left) return { root: null, old: afterLabel(label) }
    const side = keyBit(key, at + label.length) as 0 | 1
    const children: [Cell, Cell] = [label.body.ref(0), label.body.ref(1)]
    const result = remove(children[side], at + label.length + 1, left - label.length - 1)
    if (result === undefined) return undefined
    if (result.root !== null) {
      children[side] = result.root
      const fork = appendLabel(Builder.empty, key, at, label.length, left).withRef(children[0]).withRef(children[1])
      return { root: access.create(fork), old: result.old }
    }
    const kept = openLabel(children[side === 0 ? 1 : 0], left - label.length - 1, access.open)
    const joined = joinLabels(key, at, label.length, 1 - side, kept)
    const merged = appendLabel(Builder.empty, joined, 0, label.length + 1 + kept.length, left)
    return { root: access.create(merged.withSlice(afterLabel(kept))), old: result.old }
  }
  return root === null ? undefined : remove(root, 0, keyBits)
}

/** `length` bits of the key, one bit, and a label behind it. */
const joinLabels = (key: Uint8Array, at: number, length: number, bit: number, label: Label): Uint8Array => {
  const joined = newKey()
  if (length > 0) copyBits(key, at, joined, 0, length)
  setKeyBit(joined, length, bit)
  copyLabel(label, joined, length + 1)
  return joined
}

/**
 * The least or greatest key, written to `key`. The lowest bit of `mode` is the side to take at the first key bit, the others that of
 * all further ones: signed keys have their first bit the other way round.
 */
export const findExtreme = (
  root: Cell | null,
  keyBits: number,
  key: Uint8Array,
  from: number,
  mode: number,
  open: OpenNode,
): Slice | undefined => {
  if (root === null) return undefined
  let at = from
  let left = keyBits
  let sides = mode
  for (let cell = root; ; ) {
    const label = openLabel(cell, left, open)
    copyLabel(label, key, at)
    at += label.length
    left -= label.length
    if (left === 0) return afterLabel(label)
    if (label.length > 0) sides >>= 1
    const side = sides & 1
    cell = label.body.ref(side)
    setKeyBit(key, at, side)
    at++
    left--
    sides >>= 1
  }
}

/** The nearest key in the direction of `mode` (as in {@link findExtreme}), written over the one given. */
export const findNearest = (
  root: Cell | null,
  keyBits: number,
  key: Uint8Array,
  allowEqual: boolean,
  mode: number,
  open: OpenNode,
): Slice | undefined => {
  const near = (cell: Cell, at: number, left: number, sides: number): Slice | undefined => {
    const label = openLabel(cell, left, open)
    const shared = sharedBits(label, key, at, left)
    if (shared < label.length) {
      const wanted = (sides >> (shared === 0 ? 0 : 1)) & 1
      return keyBit(key, at + shared) === wanted ? undefined : findExtreme(cell, left, key, at, ~sides, open)
    }
    const behind = label.length > 0 ? sides >> 1 : sides
    const next = at + label.length
    const below = left - label.length
    if (below === 0) return allowEqual ? afterLabel(label) : undefined
    const side = keyBit(key, next)
    const found = near(label.body.ref(side), next + 1, below - 1, behind >> 1)
    if (found !== undefined || side === (behind & 1)) return found
    setKeyBit(key, next, behind & 1)
    return findExtreme(label.body.ref(behind & 1), below - 1, key, next + 1, ~behind >> 1, open)
  }
  return root === null ? undefined : near(root, 0, keyBits, mode)
}

/** Visits all values in the order of their keys, which stand in a buffer that is used again. */
export const walkDictionary = (
  root: Cell | null,
  keyBits: number,
  visit: (key: Uint8Array, value: Slice) => void,
  open: OpenNode,
): void => {
  const key = newKey()
  const walk = (cell: Cell, at: number): void => {
    const label = openLabel(cell, keyBits - at, open)
    copyLabel(label, key, at)
    const end = at + label.length
    if (end === keyBits) visit(key, afterLabel(label))
    else {
      for (const side of [0, 1] as const) {
        setKeyBit(key, end, side)
        walk(label.body.ref(side), end + 1)
      }
    }
  }
  if (root !== null) walk(root, 0)
}

/** The keys that begin with `prefixBits` bits of `prefix`, with or without these bits. */
export const cutSubdictionary = (
  root: Cell | null,
  keyBits: number,
  prefix: Uint8Array,
  prefixBits: number,
  removePrefix: boolean,
  access: NodeAccess,
): Cell | null => {
  if (root === null || prefixBits === 0) return root
  let at = 0
  for (let cell = root; ; ) {
    const label = openLabel(cell, keyBits - at, access.open)
    const compared = Math.min(prefixBits - at, label.length)
    if (sharedBits(label, prefix, at, compared) < compared) return null
    if (at + label.length < prefixBits) {
      at += label.length
      cell = label.body.ref(keyBit(prefix, at))
      at++
      continue
    }
    if (!removePrefix && at === 0) return root
    const whole = newKey()
    copyBits(prefix, 0, whole, 0, at)
    copyLabel(label, whole, at)
    const end = at + label.length
    const head = removePrefix
      ? appendLabel(Builder.empty, whole, prefixBits, end - prefixBits, keyBits - prefixBits)
      : appendLabel(Builder.empty, whole, 0, end, keyBits)
    return access.create(head.withSlice(afterLabel(label)))
  }
}

/** Whether a node of a prefix dictionary is a fork, and what follows that bit. */
const readPrefixNode = (label: Label): { readonly isFork: boolean; readonly rest: Slice } => {
  const node = afterLabel(label)
  if (node.bits < 1) fault(DICTIONARY_ERROR)
  return { isFork: node.small(1) === 1, rest: node.skip(1) }
}

const checkPrefixFork = (rest: Slice): void => {
  if (rest.bits !== 0 || rest.refs !== 2) fault(DICTIONARY_ERROR)
}

/** The value whose key the bits of `text` begin with, and the length of that key. */
export const findPrefix = (
  root: Cell | null,
  keyBits: number,
  text: Slice,
  open: OpenNode,
): { readonly value: Slice; readonly length: number } | undefined => {
  if (root === null) return undefined
  const key = newKey()
  copyBits(text.bytes, text.offset, key, 0, text.bits)
  let at = 0
  for (let cell = root; ; ) {
    const label = parseLabel(open(cell), keyBits - at)
    if (sharedBits(label, key, at, text.bits - at) < label.length) return undefined
    at += label.length
    const { isFork, rest } = readPrefixNode(label)
    if (!isFork) return { value: rest, length: at }
    if (at === keyBits) fault(DICTIONARY_ERROR)
    checkPrefixFork(rest)
    if (at === text.bits) return undefined
    cell = rest.ref(peekBits(key, at, 1))
    at++
  }
}

/** Sets a key of a prefix dictionary; `undefined` where nothing changed. */
export const setInPrefixDictionary = (
  root: Cell | null,
  maxBits: number,
  key: Uint8Array,
  keyBits: number,
  store: StoreValue,
  mode: SetMode,
  access: NodeAccess,
): Cell | undefined => {
  const leaf = (at: number): Cell =>
    access.create(store(appendLabel(Builder.empty, key, at, keyBits - at, maxBits - at).withInteger(0, 1)))
  const set = (cell: Cell, at: number): Cell | undefined => {
    const label = parseLabel(access.open(cell), maxBits - at)
    const shared = sharedBits(label, key, at, keyBits - at)
    if (shared < label.length) {
      if (shared === keyBits - at || mode === 'replace') return undefined
      const next = at + shared + 1
      const added = leaf(next)
      const moved = access.create(shortenLabel(label, shared + 1, maxBits - next).withSlice(afterLabel(label)))
      const isRight = keyBit(key, at + shared) === 1
      const fork = appendLabel(Builder.empty, key, at, shared, maxBits - at)
        .withInteger(1, 1)
        .withRef(isRight ? moved : added)
        .withRef(isRight ? added : moved)
      return access.create(fork)
    }
    const { isFork, rest } = readPrefixNode(label)
    const end = at + label.length
    if (!isFork) return end !== keyBits || mode === 'add' ? undefined : leaf(at)
    checkPrefixFork(rest)
    if (end === keyBits) return undefined
    const children: [Cell, Cell] = [rest.ref(0), rest.ref(1)]
    const side = keyBit(key, end) as 0 | 1
    const changed = set(children[side], end + 1)
    if (changed === undefined) return undefined
    children[side] = changed
    return access.create(prefixFork(key, at, label.length, maxBits - at, children))
  }
  if (keyBits > maxBits) return undefined
  if (root !== null) return set(root, 0)
  return mode === 'replace' ? undefined : leaf(0)
}

const prefixFork = (
  key: Uint8Array,
  at: number,
  length: number,
  max: number,
  children: readonly [Cell, Cell],
): Builder =>
  appendLabel(Builder.empty, key, at, length, max).withInteger(1, 1).withRef(children[0]).withRef(children[1])

/** Deletes a key of a prefix dictionary; `undefined` where it was not there. */
export const deleteFromPrefixDictionary = (
  root: Cell | null,
  maxBits: number,
  key: Uint8Array,
  keyBits: number,
  access: NodeAccess,
): { readonly root: Cell | null } | undefined => {
  const remove = (cell: Cell, at: number): { readonly root: Cell | null } | undefined => {
    const label = parseLabel(access.open(cell), maxBits - at)
    if (sharedBits(label, key, at, keyBits - at) < label.length) return undefined
    const { isFork, rest } = readPrefixNode(label)
    const end = at + label.length
    if (!isFork) return end < keyBits ? undefined : { root: null }
    checkPrefixFork(rest)
    if (end === keyBits) return undefined
    const children: [Cell, Cell] = [rest.ref(0), rest.ref(1)]
    const side = keyBit(key, end) as 0 | 1
    const result = remove(children[side], end + 1)
    if (result === undefined) return undefined
    if (result.root !== null) {
      children[side] = result.root
      return { root: access.create(prefixFork(key, at, label.length, maxBits - at, children)) }
    }
    const kept = parseLabel(access.open(children[side === 0 ? 1 : 0]), maxBits - end - 1)
    const joined = joinLabels(key, at, label.length, 1 - side, kept)
    const merged = appendLabel(Builder.empty, joined, 0, label.length + 1 + kept.length, maxBits - at)
    return { root: access.create(merged.withSlice(afterLabel(kept))) }
  }
  return root === null || keyBits > maxBits ? undefined : remove(root, 0)
}
