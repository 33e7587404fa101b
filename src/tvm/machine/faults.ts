/** Numbers of the machine's own exceptions. */
export const STACK_UNDERFLOW = 2
export const STACK_OVERFLOW = 3
export const INTEGER_OVERFLOW = 4
export const RANGE_CHECK = 5
export const INVALID_OPCODE = 6
export const TYPE_CHECK = 7
export const CELL_OVERFLOW = 8
export const CELL_UNDERFLOW = 9
export const DICTIONARY_ERROR = 10
export const UNKNOWN_ERROR = 11
const OUT_OF_GAS = 13

/** Exit code of a run without code, and of one that ran out of gas: no contract can exit with these by itself. */
export const NO_CODE_EXIT = ~12
export const OUT_OF_GAS_EXIT = ~OUT_OF_GAS

const TEXTS: Readonly<Record<number, string>> = {
  [STACK_UNDERFLOW]: 'stack underflow',
  [STACK_OVERFLOW]: 'stack overflow',
  [INTEGER_OVERFLOW]: 'integer overflow',
  [RANGE_CHECK]: 'integer out of range',
  [INVALID_OPCODE]: 'invalid or too short opcode',
  [TYPE_CHECK]: 'type check error',
  [CELL_OVERFLOW]: 'cell overflow',
  [CELL_UNDERFLOW]: 'cell underflow',
  [DICTIONARY_ERROR]: 'dictionary error',
  [UNKNOWN_ERROR]: 'unknown error',
}

/** An exception in the words of a node. */
export const faultText = (code: number): string => TEXTS[code] ?? 'exception'

/** An exception that the code may catch. It carries no stack trace: contracts raise many, and a trace costs more than a thousand steps. */
export class VmFault {
  readonly code: number

  constructor(code: number) {
    this.code = code
  }
}

/** The end of gas, which no code can catch. */
export class OutOfGas {
  readonly code = OUT_OF_GAS
}

const faults = Array.from({ length: 16 }, (_, code) => new VmFault(code))
const outOfGas = new OutOfGas()

/** Raises exception `code` (0 to 15) inside the machine. */
export const fault = (code: number): never => {
  throw faults[code]
}

export const failOutOfGas = (): never => {
  throw outOfGas
}

/** Ends a run that was not allowed to use slow instructions. It says nothing of the code: elsewhere the run starts again and goes on. */
export class SlowInstruction {}
const slowInstruction = new SlowInstruction()

export const failSlow = (): never => {
  throw slowInstruction
}
