import { inspect } from 'node:util'
import fc from 'fast-check'
import type { CellSlice } from '../../src/codec/cell/Cell.ts'
import { sliceToCell } from '../../src/codec/cell/CellWriter.ts'
import type { VmCont, VmControlData, VmValue } from '../../src/codec/tlb/VmValue.ts'
import { arbitraryTree } from './arbitraryCell.ts'
import { toCell } from './referenceCell.ts'
import { toPlain } from './toPlain.ts'

const cell = arbitraryTree(4).map(toCell)

/** Any part of a cell. */
const slice: fc.Arbitrary<CellSlice> = fc
  .tuple(cell, fc.nat(1023), fc.nat(1023), fc.nat(4), fc.nat(4))
  .map(([{ arena, index, bits, refCount }, a, b, c, d]) => {
    const [bitA, bitB] = [a % (bits + 1), b % (bits + 1)]
    const [refA, refB] = [c % (refCount + 1), d % (refCount + 1)]
    return {
      arena,
      index,
      bitStart: Math.min(bitA, bitB),
      bitEnd: Math.max(bitA, bitB),
      refStart: Math.min(refA, refB),
      refEnd: Math.max(refA, refB),
    }
  })

const edges = [63n, 64n, 128n, 256n].flatMap((bits) => [
  1n << bits,
  (1n << bits) - 1n,
  -(1n << bits),
  -(1n << bits) - 1n,
])
const int: fc.Arbitrary<bigint> = fc.oneof(
  fc.bigInt({ min: -300n, max: 300n }),
  fc.bigInt({ min: -(1n << 256n), max: (1n << 256n) - 1n }),
  fc.constantFrom(...edges.filter((edge) => BigInt.asIntN(257, edge) === edge)),
)

// Objects without a prototype would not compare equal to ours.
const record = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> =>
  fc.record<T>(model, { noNullPrototype: true })

const arbitraries = fc.letrec<{ value: VmValue; plain: VmValue; cont: VmCont; control: VmControlData }>((tie) => ({
  plain: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'vm' },
    fc.constant<VmValue>({ kind: 'null' }),
    int.map((value): VmValue => ({ kind: 'int', value })),
    fc.constant<VmValue>({ kind: 'nan' }),
    cell.map((each): VmValue => ({ kind: 'cell', cell: each })),
    slice.map((each): VmValue => ({ kind: 'slice', slice: each })),
    cell.map((each): VmValue => ({ kind: 'builder', cell: each })),
    fc.array(tie('plain'), { maxLength: 5, depthIdentifier: 'vm' }).map((items): VmValue => ({ kind: 'tuple', items })),
  ),
  value: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'vm' },
    tie('plain'),
    fc.array(tie('value'), { maxLength: 5, depthIdentifier: 'vm' }).map((items): VmValue => ({ kind: 'tuple', items })),
    tie('cont').map((continuation): VmValue => ({ kind: 'continuation', continuation })),
  ),
  cont: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'vm' },
    fc.integer().map((exitCode): VmCont => ({ kind: 'quit', exitCode })),
    fc.constant<VmCont>({ kind: 'quitException' }),
    record({ kind: fc.constant('ordinary' as const), control: tie('control'), code: slice }),
    record({ kind: fc.constant('envelope' as const), control: tie('control'), next: tie('cont') }),
    record({
      kind: fc.constant('repeat' as const),
      count: fc.bigInt({ min: 0n, max: (1n << 63n) - 1n }),
      body: tie('cont'),
      after: tie('cont'),
    }),
    record({ kind: fc.constant('until' as const), body: tie('cont'), after: tie('cont') }),
    record({ kind: fc.constant('again' as const), body: tie('cont') }),
    record({
      kind: fc.constantFrom('whileCondition' as const, 'whileBody' as const),
      condition: tie('cont'),
      body: tie('cont'),
      after: tie('cont'),
    }),
    record({ kind: fc.constant('pushInt' as const), value: fc.integer(), next: tie('cont') }),
  ),
  control: record({
    argCount: fc.option(fc.nat(8191), { nil: undefined }),
    // The top of this stack stands in the cell of the continuation, whose references it must leave to the others.
    stack: fc.option(
      fc
        .tuple(fc.array(tie('value'), { maxLength: 2, depthIdentifier: 'vm' }), int)
        .map(([below, value]): VmValue[] => [...below, { kind: 'int', value }]),
      { nil: undefined },
    ),
    savedRegisters: fc
      .uniqueArray(record({ register: fc.nat(15), value: tie('value') }), {
        maxLength: 4,
        selector: ({ register }) => register,
        depthIdentifier: 'vm',
      })
      .map((saved) => saved.toSorted((a, b) => a.register - b.register)),
    codePage: fc.option(fc.integer({ min: -32768, max: 32767 }), { nil: undefined }),
  }),
}))

/** Values with what to print of them: cells hold whole arenas, which no report should spell out. */
export type Shown<T> = { readonly it: T }

const shown = <T>(it: T): Shown<T> => ({ it, ...{ [fc.toStringMethod]: () => inspect(plainVm(it), { depth: 30 }) } })

export const arbitraryVmValue = arbitraries.value.map(shown)
export const arbitraryVmStack = fc.array(arbitraries.value, { maxLength: 6 }).map(shown)
/** Without continuations, which other libraries do not know. */
export const arbitraryPlainVmStack = fc.array(arbitraries.plain, { maxLength: 6 }).map(shown)

/** A value as plain data that can be compared: a slice as where it lies, and what it holds. */
export const plainVm = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plainVm)
  if (typeof value !== 'object' || value === null) return value
  if ('bitStart' in value) return plainSlice(value as CellSlice)
  if (Object.getPrototypeOf(value) !== Object.prototype) return toPlain(value)
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, plainVm(field)]))
}

const plainSlice = (s: CellSlice): string =>
  `bits ${s.bitStart}-${s.bitEnd}, refs ${s.refStart}-${s.refEnd}: ${toPlain(sliceToCell(s))}`
