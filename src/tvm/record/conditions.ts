import { bitOf } from '../machine/instructions/control.ts'
import type { Instruction } from '../machine/Vm.ts'
import { isInteger, type Value } from '../machine/values.ts'

/** How deep in the stack the condition of a conditional jump, call, return or throw stands. */
const POSITIONS: Readonly<Record<string, number>> = {
  IFRET: 0,
  IFNOTRET: 0,
  IFRETALT: 0,
  IFNOTRETALT: 0,
  IF: 1,
  IFNOT: 1,
  IFJMP: 1,
  IFNOTJMP: 1,
  IFELSE: 2,
  IFREF: 0,
  IFNOTREF: 0,
  IFJMPREF: 0,
  IFNOTJMPREF: 0,
  IFREFELSE: 1,
  IFELSEREF: 1,
  IFREFELSEREF: 0,
  IFBITJMP: 1,
  IFNBITJMP: 1,
  IFBITJMPREF: 0,
  IFNBITJMPREF: 0,
  RETBOOL: 0,
  THROWIF_SHORT: 0,
  THROWIFNOT_SHORT: 0,
  THROWIF: 0,
  THROWIFNOT: 0,
  THROWARGIF: 0,
  THROWARGIFNOT: 0,
  THROWANYIF: 0,
  THROWANYIFNOT: 0,
  THROWARGANYIF: 0,
  THROWARGANYIFNOT: 0,
}

/** Reads the condition of an instruction off the stack before it runs; `undefined` where what stands there is none. */
export type ReadCondition = (stack: readonly Value[]) => boolean | undefined

/** `undefined` for an instruction without a condition. */
export const conditionOf = ({ name, operands }: Instruction, word: number): ReadCondition | undefined => {
  const position = POSITIONS[name]
  if (position === undefined) return undefined
  const bit = operands.startsWith('u5') ? (word >> 8) & 31 : undefined
  return (stack) => {
    const value = stack[stack.length - 1 - position]
    if (value === undefined || !isInteger(value) || Number.isNaN(value)) return undefined
    return bit === undefined ? value !== 0 : bitOf(value, bit)
  }
}
