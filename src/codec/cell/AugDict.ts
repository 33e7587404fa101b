import { Cell, wholeSlice } from './Cell.ts'
import { type CellReader, openCell } from './CellReader.ts'
import type { CellWriter } from './CellWriter.ts'
import { type DictWalk, encodeWalk, sortEntries } from './Dict.ts'
import { buildDict, deleteFromDict, setInDict, type WriteFork } from './dictBuild.ts'
import { type DictRoot, lookupDict, openRoot, readLabel, walkDict } from './dictNodes.ts'
import type { KeyCodec, ValueCodec } from './dictTypes.ts'
import { CellError } from './errors.ts'

/** The sum over the leaves of an augmented dictionary. */
export type Augmentation<V, E> = {
  readonly codec: ValueCodec<E>
  readonly empty: E
  combine(left: E, right: E): E
  /** The extra of a leaf follows from its value. */
  ofLeaf(value: V): E
}

export type AugDictType<K, V, E> = {
  readonly key: KeyCodec<K>
  readonly value: ValueCodec<V>
  readonly extra: Augmentation<V, E>
}

/** `HashmapAug` and `HashmapAugE`: a dictionary whose every node sums up the leaves below it. Immutable, lazy. */
export class AugDict<K, V, E> {
  readonly type: AugDictType<K, V, E>
  readonly root: DictRoot | undefined
  /** The sum over all leaves as stated where the dictionary stands. */
  readonly rootExtra: E

  constructor(type: AugDictType<K, V, E>, root: DictRoot | undefined, rootExtra: E) {
    this.type = type
    this.root = root
    this.rootExtra = rootExtra
  }

  /** A dictionary of these entries, given in any order; every extra is computed. */
  static of<K, V, E>(type: AugDictType<K, V, E>, entries: Iterable<readonly [K, V]> = []): AugDict<K, V, E> {
    const leaves = sortEntries(type.key, entries).map(({ key, value }) => ({
      key,
      write: (w: CellWriter) => writeLeaf(w, type, value),
    }))
    return withComputedExtra(type, buildDict(leaves, type.key.bits, forkWriter(type)))
  }

  get isEmpty(): boolean {
    return this.root === undefined
  }

  find(key: K): V | undefined {
    return this.findLeaf(key)?.value
  }

  findLeaf(key: K): { readonly value: V; readonly extra: E } | undefined {
    if (this.root === undefined) return undefined
    const leaf = lookupDict(this.root, this.type.key.bits, this.type.key.encode(key))
    if (leaf === undefined) return undefined
    const extra = this.type.extra.codec.read(leaf)
    const value = this.type.value.read(leaf)
    leaf.expectEnd('A dictionary value')
    return { value, extra }
  }

  /** Visits the entries in the order of their keys' bits. Returning `false` ends the walk. */
  forEach(visit: (key: K, value: V, extra: E) => boolean | undefined | void, walk: DictWalk<K> = {}): void {
    if (this.root === undefined) return
    const { key, value, extra } = this.type
    walkDict(
      this.root,
      key.bits,
      (bits, leaf) => {
        const leafExtra = extra.codec.read(leaf)
        const leafValue = value.read(leaf)
        leaf.expectEnd('A dictionary value')
        return visit(key.decode(bits), leafValue, leafExtra) !== false
      },
      encodeWalk(key, walk),
    )
  }

  entries(walk: DictWalk<K> = {}): [K, V][] {
    const all: [K, V][] = []
    this.forEach((key, value) => void all.push([key, value]), walk)
    return all
  }

  set(key: K, value: V): AugDict<K, V, E> {
    const { type } = this
    const write = (w: CellWriter) => writeLeaf(w, type, value)
    const root = setInDict(this.root, type.key.bits, type.key.encode(key), write, forkWriter(type))
    return withComputedExtra(type, root)
  }

  delete(key: K): AugDict<K, V, E> {
    const { type } = this
    const root = deleteFromDict(this.root, type.key.bits, type.key.encode(key), forkWriter(type))
    return root === this.root ? this : withComputedExtra(type, root)
  }
}

const writeLeaf = <K, V, E>(w: CellWriter, { value, extra }: AugDictType<K, V, E>, leaf: V): void => {
  extra.codec.write(w, extra.ofLeaf(leaf))
  value.write(w, leaf)
}

const forkWriter =
  <K, V, E>({ extra }: AugDictType<K, V, E>): WriteFork =>
  (w, left, right, childKeyBits) =>
    extra.codec.write(
      w,
      extra.combine(readNodeExtra(left, childKeyBits, extra.codec), readNodeExtra(right, childKeyBits, extra.codec)),
    )

/** The extra in a node: before the value of a leaf, behind the references of a fork. */
const readNodeExtra = <E>(node: DictRoot, keyBits: number, codec: ValueCodec<E>): E => {
  const r = openRoot(node)
  if (readLabel(r, keyBits, new Uint8Array((keyBits + 7) >> 3), 0) < keyBits) {
    r.skipRef()
    r.skipRef()
  }
  return codec.read(r)
}

const withComputedExtra = <K, V, E>(type: AugDictType<K, V, E>, root: DictRoot | undefined): AugDict<K, V, E> => {
  const extra = root === undefined ? type.extra.empty : readNodeExtra(root, type.key.bits, type.extra.codec)
  return new AugDict(type, root, extra)
}

/** `HashmapAugE`: a bit and the root in a reference, then always the extra of the whole. */
export const readAugDict = <K, V, E>(r: CellReader, type: AugDictType<K, V, E>): AugDict<K, V, E> => {
  const root = r.readMaybeRefCell()
  return new AugDict(type, root, type.extra.codec.read(r))
}

export const writeAugDict = <K, V, E>(w: CellWriter, { type, root, rootExtra }: AugDict<K, V, E>): void => {
  if (root !== undefined && !(root instanceof Cell)) {
    throw new CellError('A dictionary that shares the cell of its holder cannot be written as a reference.')
  }
  w.writeMaybeRef(root)
  type.extra.codec.write(w, rootExtra)
}

/** `HashmapAug` with its root node in the present cell. */
export const readInlineAugDict = <K, V, E>(r: CellReader, type: AugDictType<K, V, E>): AugDict<K, V, E> => {
  const start = r.clone()
  const { bits } = type.key
  const isLeaf = readLabel(r, bits, new Uint8Array((bits + 7) >> 3), 0) === bits
  if (!isLeaf) {
    r.skipRef()
    r.skipRef()
  }
  const extra = type.extra.codec.read(r)
  if (isLeaf) type.value.read(r)
  return new AugDict(type, r.sliceSince(start), extra)
}

export const writeInlineAugDict = <K, V, E>(w: CellWriter, { root }: AugDict<K, V, E>): void => {
  if (root === undefined)
    throw new CellError('A dictionary without entries cannot be written where one must have some.')
  w.writeSlice(root instanceof Cell ? wholeSlice(root) : root)
}

/** An augmented dictionary in a cell of its own, as the descriptors of a block are. */
export const openAugDict = <K, V, E>(cell: Cell, type: AugDictType<K, V, E>): AugDict<K, V, E> => {
  const r = openCell(cell)
  const dict = readAugDict(r, type)
  r.expectEnd('An augmented dictionary')
  return dict
}
