import { crc16OfText } from '../../primitives/crc.ts'
import { CodedError } from '../../primitives/errors.ts'
import type { Cell, CellSlice } from '../cell/Cell.ts'

/** A value on the stack of the virtual machine. */
export type VmValue =
  | { readonly kind: 'null' }
  /** Signed, 257 bits. */
  | { readonly kind: 'int'; readonly value: bigint }
  | { readonly kind: 'nan' }
  | { readonly kind: 'cell'; readonly cell: Cell }
  | { readonly kind: 'slice'; readonly slice: CellSlice }
  /** The content of the builder as a finished cell. */
  | { readonly kind: 'builder'; readonly cell: Cell }
  | { readonly kind: 'continuation'; readonly continuation: VmCont }
  | { readonly kind: 'tuple'; readonly items: readonly VmValue[] }

const INTEGER_LIMIT = 1n << 256n
const INTEGER = /^-?(?:0x[0-9a-f]+|[0-9]+)$/i
/** More characters than any integer has, with some zeros before it. */
const MAX_INTEGER_LENGTH = 120

/** Whether the machine has this integer: 257 bits, one of them for the sign. */
export const isVmInteger = (value: bigint): boolean => value < INTEGER_LIMIT && value >= -INTEGER_LIMIT

/** An integer of the machine from its text: decimal, or hexadecimal with the prefix 0x. `undefined` for anything else. */
export const parseVmInteger = (text: string): bigint | undefined => {
  if (text.length > MAX_INTEGER_LENGTH || !INTEGER.test(text)) return undefined
  const value = text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text)
  return isVmInteger(value) ? value : undefined
}

/** A control register that a continuation restores: 0 to 3 continuations, 4 and 5 cells, 7 a tuple. */
export type VmSavedRegister = { readonly register: number; readonly value: VmValue }

/** The state of a continuation besides its code. */
export type VmControlData = {
  readonly argCount: number | undefined
  /** Bottom first. */
  readonly stack: readonly VmValue[] | undefined
  readonly savedRegisters: readonly VmSavedRegister[]
  readonly codePage: number | undefined
}

export type VmCont =
  | { readonly kind: 'ordinary'; readonly control: VmControlData; readonly code: CellSlice }
  | { readonly kind: 'envelope'; readonly control: VmControlData; readonly next: VmCont }
  | { readonly kind: 'quit'; readonly exitCode: number }
  | { readonly kind: 'quitException' }
  | { readonly kind: 'repeat'; readonly count: bigint; readonly body: VmCont; readonly after: VmCont }
  | { readonly kind: 'until'; readonly body: VmCont; readonly after: VmCont }
  | { readonly kind: 'again'; readonly body: VmCont }
  | { readonly kind: 'whileCondition'; readonly condition: VmCont; readonly body: VmCont; readonly after: VmCont }
  | { readonly kind: 'whileBody'; readonly condition: VmCont; readonly body: VmCont; readonly after: VmCont }
  | { readonly kind: 'pushInt'; readonly value: number; readonly next: VmCont }

/** A stack is deeper, wider or larger than is read or written here. */
export class VmStackLimitError extends CodedError {
  readonly code = 'vm_stack_limit'
}

export type VmStackLimits = {
  /** Entries of one stack. */
  readonly maxDepth: number
  /** Entries of one tuple. */
  readonly maxTuple: number
  /** Values and continuations in all: cells may be shared, so a few of them can spell out endlessly many. */
  readonly maxValues: number
  /** Values inside values. A list of n elements made of pairs is n deep. */
  readonly maxNesting: number
}

export const DEFAULT_VM_STACK_LIMITS: VmStackLimits = {
  maxDepth: 1024,
  maxTuple: 255,
  maxValues: 1 << 16,
  maxNesting: 1024,
}

/** Limits that nodes put on the arguments of a get-method. */
export const REQUEST_VM_STACK_LIMITS: VmStackLimits = { ...DEFAULT_VM_STACK_LIMITS, maxValues: 1000 }

/** The arguments of a get-method take at most so many bytes when serialized. */
export const MAX_ARGUMENT_BYTES = 256 * 1024

/** Counts what is read or written of one stack against its limits. */
export class VmStackCount {
  private readonly limits: VmStackLimits
  private values = 0

  constructor(limits: VmStackLimits) {
    this.limits = limits
  }

  /** One more value or continuation, `level` others around it. */
  add(level: number): void {
    const { maxValues, maxNesting } = this.limits
    if (++this.values > maxValues) {
      throw new VmStackLimitError(`A stack holds more than ${maxValues} values, the most that is taken here.`)
    }
    if (level > maxNesting) {
      throw new VmStackLimitError(`The values of a stack are nested more than ${maxNesting} deep.`)
    }
  }

  checkDepth(depth: number): void {
    const { maxDepth } = this.limits
    if (depth > maxDepth) throw new VmStackLimitError(`A stack has at most ${maxDepth} entries, this one has ${depth}.`)
  }

  checkTuple(length: number): void {
    const { maxTuple } = this.limits
    if (length > maxTuple) {
      throw new VmStackLimitError(`A tuple has at most ${maxTuple} entries, this one has ${length}.`)
    }
  }
}

/** The functions that the network itself calls, by the numbers it knows them by. */
const specialMethodIds: ReadonlyMap<string, number> = new Map([
  ['main', 0],
  ['recv_internal', 0],
  ['recv_external', -1],
  ['run_ticktock', -2],
  ['split_prepare', -3],
  ['split_install', -4],
])

/** The id under which a contract keeps the get-method of this name. */
export const getMethodId = (name: string): number => crc16OfText(name) | 0x10000

/** The id of any named function of a contract, special or not. */
export const functionId = (name: string): number => specialMethodIds.get(name) ?? getMethodId(name)
