import { Cell, wholeSlice } from './Cell.ts'
import type { CellReader } from './CellReader.ts'
import type { CellWriter } from './CellWriter.ts'
import { buildDict, deleteFromDict, setInDict } from './dictBuild.ts'
import { type DictRoot, lookupDict, readLabel, type WalkOptions, walkDict } from './dictNodes.ts'
import type { KeyCodec, ValueCodec } from './dictTypes.ts'
import { CellError } from './errors.ts'

export type DictType<K, V> = { readonly key: KeyCodec<K>; readonly value: ValueCodec<V> }

export type DictWalk<K> = { readonly reverse?: boolean; readonly after?: K; readonly maxNodes?: number }

const plainFork = (): void => undefined

export const encodeWalk = <K>(key: KeyCodec<K>, { after, ...rest }: DictWalk<K>): WalkOptions =>
  after === undefined ? rest : { ...rest, after: key.encode(after) }

/** `Hashmap` and `HashmapE`: an immutable dictionary that stays in its cells; nothing is read before it is asked for. */
export class Dict<K, V> {
  readonly type: DictType<K, V>
  readonly root: DictRoot | undefined

  constructor(type: DictType<K, V>, root?: DictRoot) {
    this.type = type
    this.root = root
  }

  /** A dictionary of these entries, given in any order. */
  static of<K, V>(type: DictType<K, V>, entries: Iterable<readonly [K, V]>): Dict<K, V> {
    const sorted = sortEntries(type.key, entries)
    const leaves = sorted.map(({ key, value }) => ({ key, write: (w: CellWriter) => type.value.write(w, value) }))
    return new Dict(type, buildDict(leaves, type.key.bits, plainFork))
  }

  get isEmpty(): boolean {
    return this.root === undefined
  }

  find(key: K): V | undefined {
    if (this.root === undefined) return undefined
    const leaf = lookupDict(this.root, this.type.key.bits, this.type.key.encode(key))
    return leaf === undefined ? undefined : readLeaf(leaf, this.type.value)
  }

  /** Visits the entries in the order of their keys' bits. Returning `false` ends the walk. */
  forEach(visit: (key: K, value: V) => boolean | undefined | void, walk: DictWalk<K> = {}): void {
    if (this.root === undefined) return
    const { key, value } = this.type
    walkDict(
      this.root,
      key.bits,
      (bits, leaf) => visit(key.decode(bits), readLeaf(leaf, value)) !== false,
      encodeWalk(key, walk),
    )
  }

  entries(walk: DictWalk<K> = {}): [K, V][] {
    const all: [K, V][] = []
    this.forEach((key, value) => void all.push([key, value]), walk)
    return all
  }

  set(key: K, value: V): Dict<K, V> {
    const { type } = this
    const write = (w: CellWriter) => type.value.write(w, value)
    return new Dict(type, setInDict(this.root, type.key.bits, type.key.encode(key), write, plainFork))
  }

  delete(key: K): Dict<K, V> {
    const { type } = this
    return new Dict(type, deleteFromDict(this.root, type.key.bits, type.key.encode(key), plainFork))
  }
}

const readLeaf = <V>(leaf: CellReader, value: ValueCodec<V>): V => {
  const read = value.read(leaf)
  leaf.expectEnd('A dictionary value')
  return read
}

export const sortEntries = <K, V>(
  codec: KeyCodec<K>,
  entries: Iterable<readonly [K, V]>,
): { readonly key: Uint8Array; readonly value: V }[] => {
  const encoded = Array.from(entries, ([key, value]) => ({ key: codec.encode(key), value }))
  return encoded.sort((a, b) => Buffer.compare(a.key, b.key))
}

/** `HashmapE`: one bit, then the root in a reference. */
export const readDict = <K, V>(r: CellReader, type: DictType<K, V>): Dict<K, V> => new Dict(type, r.readMaybeRefCell())

export const writeDict = <K, V>(w: CellWriter, { root }: Dict<K, V>): void => {
  if (root !== undefined && !(root instanceof Cell)) {
    throw new CellError('A dictionary that shares the cell of its holder cannot be written as a reference.')
  }
  w.writeMaybeRef(root)
}

/** `Hashmap` with its root node in the present cell. */
export const readInlineDict = <K, V>(r: CellReader, type: DictType<K, V>): Dict<K, V> => {
  const start = r.clone()
  const { bits } = type.key
  if (readLabel(r, bits, new Uint8Array((bits + 7) >> 3), 0) === bits) type.value.read(r)
  else {
    r.skipRef()
    r.skipRef()
  }
  return new Dict(type, r.sliceSince(start))
}

export const writeInlineDict = <K, V>(w: CellWriter, { root }: Dict<K, V>): void => {
  if (root === undefined)
    throw new CellError('A dictionary without entries cannot be written where one must have some.')
  w.writeSlice(root instanceof Cell ? wholeSlice(root) : root)
}

interface Walkable<K, V> {
  forEach(visit: (key: K, value: V) => boolean, walk?: DictWalk<K>): void
}

/**
 * Visits entries until `visit` says `false`, and enters nothing behind that one: proofs of a page hold nothing beyond it.
 * Says whether the end of the dictionary was met.
 */
export const visitEntries = <K, V>(
  dict: Walkable<K, V>,
  walk: DictWalk<K>,
  visit: (key: K, value: V) => boolean,
): boolean => {
  let goesOn = true
  // biome-ignore lint/suspicious/useIterableCallbackReturn: this is no array, and `false` ends the walk.
  dict.forEach((key, value) => {
    goesOn = visit(key, value)
    return goesOn
  }, walk)
  return goesOn
}

/** The first entry of a walk. */
export const findEntry = <K, V>(dict: Walkable<K, V>, walk: DictWalk<K>): readonly [K, V] | undefined => {
  let found: readonly [K, V] | undefined
  visitEntries(dict, walk, (key, value) => {
    found = [key, value]
    return false
  })
  return found
}

/** The first entries, at most so many. */
export const takeEntries = <K, V>(dict: Walkable<K, V>, limit: number, walk: DictWalk<K> = {}): [K, V][] => {
  const taken: [K, V][] = []
  if (limit > 0) visitEntries(dict, walk, (key, value) => taken.push([key, value]) < limit)
  return taken
}
