import type { Cell } from '../../src/codec/cell/Cell.ts'
import { openSlice } from '../../src/codec/cell/CellReader.ts'
import { CellWriter, emptyCell } from '../../src/codec/cell/CellWriter.ts'
import { Dict, type DictType } from '../../src/codec/cell/Dict.ts'
import { cellValue, uintKey } from '../../src/codec/cell/dictTypes.ts'
import type { VmStack } from '../../src/codec/tlb/VmStack.ts'
import { getMethodId, type VmValue } from '../../src/codec/tlb/VmValue.ts'
import { codeOf } from './vmSamples.ts'

/** What a method leaves, or its machine code. */
export type ScriptedMethod = VmStack | Cell

const methodsType: DictType<number, Cell> = { key: uintKey(19), value: cellValue }

/** Runs for ever: PUSHCONT with nothing in it, AGAIN. */
export const endless: Cell = codeOf('90ea')
/** Leaves a tuple of two of itself, again and again: PUSHINT 1, then in a loop DUP, TUPLE 2. */
export const swelling: Cell = codeOf('7193206f02ea')

/** Machine code with these get-methods, as compilers lay it out. Each takes `drop` arguments and does not look at them. */
export const scriptedCode = (
  methods: Readonly<Record<string, ScriptedMethod>>,
  drop: Readonly<Record<string, number>> = {},
): Cell => {
  const entries = Object.entries(methods).map(([name, method]) => {
    const code = 'arena' in method ? method : pushAll(method)
    // DROP, as often as there are arguments; then on to the reference.
    return [getMethodId(name), codeOf('30'.repeat(drop[name] ?? 0), code)] as const
  })
  entries.sort(([a], [b]) => a - b)
  // SETCP 0, DICTPUSHCONST 19, DICTIGETJMPZ, THROWARG 11.
  return codeOf('ff00f4a413f4bcf2c80b', Dict.of(methodsType, entries).root as Cell)
}

const pushAll = (stack: VmStack): Cell =>
  stack.reduceRight<Cell>((rest, value) => push(value).writeRef(rest).toCell(), emptyCell)

const push = (value: VmValue): CellWriter => {
  const w = new CellWriter()
  // PUSHNULL, PUSHREF, PUSHREFSLICE, PUSHINT of 259 bits.
  if (value.kind === 'null') return w.writeUint(0x6d, 8)
  if (value.kind === 'cell') return w.writeUint(0x88, 8).writeRef(value.cell)
  if (value.kind === 'slice') {
    return w.writeUint(0x89, 8).writeRef(new CellWriter().writeSlice(openSlice(value.slice).readRest()).toCell())
  }
  if (value.kind !== 'int') throw new TypeError(`No code for a ${value.kind}.`)
  w.writeUint(0x82, 8).writeUint(30, 5)
  return w
    .writeUintWide(BigInt.asUintN(259, value.value) >> 256n, 3)
    .writeUintWide(BigInt.asUintN(256, value.value), 256)
}
