import { AugDict, type AugDictType, readAugDict } from '../../src/codec/cell/AugDict.ts'
import { readBinTree } from '../../src/codec/cell/BinTree.ts'
import { Cell } from '../../src/codec/cell/Cell.ts'
import { openCell } from '../../src/codec/cell/CellReader.ts'
import { Dict, type DictType, readDict, readInlineDict } from '../../src/codec/cell/Dict.ts'
import { type BocOptions, decodeBoc, openIndexedBoc } from '../../src/codec/cell/decodeBoc.ts'
import { bytesKey, cellValue, type KeyCodec, presenceValue, uintValue } from '../../src/codec/cell/dictTypes.ts'
import { BLOCK_BOC, encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { MAX_DEPTH, MERKLE_PROOF, MERKLE_UPDATE } from '../../src/codec/cell/exotic.ts'
import { recordVisited } from '../../src/codec/cell/HashIndex.ts'
import {
  applyMerkleUpdate,
  buildMerkleProof,
  buildMerkleUpdate,
  readMerkleUpdate,
  unwrapMerkleProof,
} from '../../src/codec/cell/merkle.ts'
import { CodedError } from '../../src/primitives/errors.ts'
import type { Random } from './Random.ts'
import { readers } from './readers.ts'

/** Runs one step and hands back its result, or `undefined` where it was refused with our error. Anything else is thrown on. */
export type RunStep = <T>(name: string, step: () => T) => T | undefined

const modes: readonly (readonly [string, BocOptions])[] = [
  ['default', {}],
  ['lenient', { lenient: true, allowPrunedRoots: true, allowTrailing: true }],
  ['trusted', { trusted: true }],
  ['strict', { strict: true }],
]

const anyKey = (bits: number): KeyCodec<Uint8Array> => ({ ...bytesKey(Math.ceil(bits / 8)), bits })
const dictTypes: readonly DictType<Uint8Array, unknown>[] = [8, 15, 32, 64, 96, 256, 267, 352, 1023].flatMap((bits) =>
  [cellValue, presenceValue, uintValue(8)].map((value) => ({ key: anyKey(bits), value })),
) as DictType<Uint8Array, unknown>[]
const sums: AugDictType<Uint8Array, number, number> = {
  key: anyKey(256),
  value: uintValue(8),
  extra: { codec: uintValue(5), empty: 0, combine: (a, b) => (a + b) & 31, ofLeaf: (value) => value & 31 },
}

const NODES_PER_WALK = 500
const NODES_IN_ALL = 5000

/** Goes through everything a reader gave, into its dictionaries too, as far as the budget lets it. */
const touch = (value: unknown, budget: { left: number }): void => {
  if (--budget.left < 0 || typeof value !== 'object' || value === null) return
  if (value instanceof Cell || value instanceof Uint8Array) return
  if (value instanceof Dict || value instanceof AugDict) {
    try {
      value.forEach((_key: unknown, each: unknown) => void touch(each, budget), { maxNodes: NODES_PER_WALK })
    } catch (error) {
      if (!(error instanceof CodedError)) throw error
    }
    return
  }
  for (const part of Object.values(value)) touch(part, budget)
}

const exerciseDicts = (cell: Cell, random: Random, run: RunStep): void => {
  const type = random.pick(dictTypes)
  const dict = random.pick([
    () => new Dict(type, cell),
    () => readDict(openCell(cell), type),
    () => readInlineDict(openCell(cell), type),
  ])
  run('dict', () => dict().entries({ reverse: random.once(2) }))
  // A dictionary shows what it is only to those who know its keys and values, so a few are guessed.
  for (let k = 0; k < 4; k++) run('dict', () => new Dict(random.pick(dictTypes), cell).entries())
  for (let k = 0; k < 4; k++) run('dict', () => readDict(openCell(cell), random.pick(dictTypes)).entries())
  const key = random.bytes(Math.ceil(type.key.bits / 8))
  run('dict find', () => dict().find(key))
  run('dict after', () => dict().entries({ after: key, maxNodes: NODES_PER_WALK }))
  run('dict set', () => {
    const found = dict()
    const [first] = found.entries({ maxNodes: 1024 })
    return first === undefined ? undefined : found.set(key, first[1]).delete(first[0])
  })
  run('dict delete', () => dict().delete(key))
  run('aug dict', () =>
    readAugDict(openCell(cell), sums).set(new Uint8Array(32), 1).delete(new Uint8Array(32).fill(255)),
  )
  run('bin tree', () => readBinTree(cell, (r) => r.readRest()))
}

/** What is whole has to be provable, and what we made ourselves has to pass: there our own refusal is a failure too. */
const insist = <T>(must: boolean, step: () => T): T => {
  try {
    return step()
  } catch (error) {
    if (!must) throw error
    throw new Error(`Our own work was refused: ${String(error)}`, { cause: error })
  }
}

const exerciseMerkle = (cell: Cell, random: Random, run: RunStep): void => {
  const visited = recordVisited(() => {
    let at = cell
    for (let k = 0; k < 20; k++) {
      if (!at.isExotic) openCell(at)
      if (at.refCount === 0) break
      at = at.ref(random.below(at.refCount))
    }
  })
  // Of bytes that were only trusted, the hash shows first that they lie. A proof makes a tree one level deeper.
  const hash = run('own hash', () => cell.hash())
  const isWhole = hash !== undefined && cell.level === 0 && cell.depth() < MAX_DEPTH
  const proof = run('build proof', () => insist(isWhole, () => buildMerkleProof(cell, visited)))
  if (proof !== undefined && isWhole) run('unwrap proof', () => insist(true, () => unwrapMerkleProof(proof, hash)))
  if (cell.exoticType === MERKLE_PROOF) run('unwrap', () => unwrapMerkleProof(cell, cell.ref(0).hash(0)))
  if (cell.exoticType === MERKLE_UPDATE) {
    run('apply update', () => applyMerkleUpdate(readMerkleUpdate(cell).before, cell))
  }
  const other = cell.refCount > 0 ? cell.ref(0) : cell
  const arePair = isWhole && other.level === 0
  const known = random.once(2) ? visited : undefined
  const update = run('build update', () => insist(arePair, () => buildMerkleUpdate(cell, other, known)))
  if (update !== undefined && arePair) {
    run('apply built update', () => {
      const result = insist(true, () => applyMerkleUpdate(cell, update))
      if (!result.equals(other)) throw new Error('A Merkle update gave another tree than it was made for.')
    })
  }
}

/** Something of the bag: a root, or any of its cells, where things may stand that roots are not. */
const pickCell = (roots: readonly Cell[], random: Random): Cell => {
  const root = random.pick(roots)
  return random.once(2) ? root : new Cell(root.arena, random.below(root.arena.count))
}

/** Everything that our code may be asked to do with bytes from a stranger. */
export const exercise = (bytes: Uint8Array, random: Random, run: RunStep): boolean => {
  let roots: Cell[] | undefined
  for (const [name, options] of modes) {
    const decoded = run(`decode ${name}`, () => decodeBoc(bytes, options))
    // What the default mode takes has the same cells in all others.
    if (decoded === undefined || roots !== undefined) continue
    roots = decoded
    run(`hash ${name}`, () => {
      for (const root of decoded) root.hash(random.below(4))
    })
  }
  run('open indexed', () => {
    for (const root of openIndexedBoc(bytes)) {
      if (root.refCount > 0) root.ref(0)
      root.hash()
    }
  })
  if (roots === undefined) return false
  const found = roots
  const written = run('encode', () => encodeBoc(found.slice(0, 20)))
  if (written !== undefined) {
    run('decode again', () => {
      const again = insist(true, () => decodeBoc(written, { strict: true, allowPrunedRoots: true }))
      if (!again[0]!.hasHash(found[0]!.hash())) throw new Error('A bag that was written again has another root.')
    })
  }
  run('encode block', () => encodeBoc([found[0]!], BLOCK_BOC))
  for (let k = 0; k < 8; k++) {
    const { name, read, rewrite } = random.pick(readers)
    const value = run(name, () => read(pickCell(found, random)))
    if (value === undefined) continue
    run(`${name}, through`, () => touch(value, { left: NODES_IN_ALL }))
    if (rewrite !== undefined) run(`${name}, written`, () => rewrite(value as never))
  }
  for (const { name, read } of random.once(10) ? readers : []) run(name, () => read(found[0]!))
  exerciseDicts(pickCell(found, random), random, run)
  exerciseMerkle(pickCell(found, random), random, run)
  return true
}
