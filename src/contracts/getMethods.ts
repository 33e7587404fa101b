import { type Cell, type CellSlice, wholeSlice } from '../codec/cell/Cell.ts'
import { type CellReader, openCell, openSlice } from '../codec/cell/CellReader.ts'
import { CellWriter } from '../codec/cell/CellWriter.ts'
import { Dict, type DictType } from '../codec/cell/Dict.ts'
import { uintKey } from '../codec/cell/dictTypes.ts'
import { CellError, PrunedBranchError } from '../codec/cell/errors.ts'
import { ContentError, ContentLimitError } from '../codec/content/ContentBudget.ts'
import { type MsgAddress, readMsgAddress, writeMsgAddress } from '../codec/tlb/MsgAddress.ts'
import type { VmStack } from '../codec/tlb/VmStack.ts'
import type { VmValue } from '../codec/tlb/VmValue.ts'
import type { Address } from '../primitives/Address.ts'
import { CodedError } from '../primitives/errors.ts'

/** A get-method left something else than its standard says. */
export class UnexpectedResultError extends CodedError {
  readonly code = 'unexpected_method_result'
}

/**
 * What `read` makes of a contract's answer, or `undefined` where the answer is not what it looks for. An answer is no
 * proof: a pruned branch in it is as good as any other cell that cannot be read.
 */
export const findReadable = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch (error) {
    if (isUnreadable(error)) return undefined
    throw error
  }
}

const isUnreadable = (error: unknown): boolean =>
  error instanceof UnexpectedResultError ||
  error instanceof CellError ||
  error instanceof PrunedBranchError ||
  error instanceof ContentError ||
  error instanceof ContentLimitError

export type MethodResult = {
  /** 0 and 1 are success. A contract without code, and one that does not exist, ends with -13. */
  readonly exitCode: number
  readonly stack: VmStack
}

/**
 * Runs a get-method by its name, all runs of one query against the state of the same block. Fails only where the run could
 * not be made; whatever a contract does is a result.
 */
export type RunMethod = (address: Address, method: string, stack: VmStack) => Promise<MethodResult>

/** Reads what a get-method left, from the bottom up. Entries past those that were asked for do not matter. */
export class ResultReader {
  private readonly stack: VmStack
  private at = 0

  /** Refuses runs that failed; the standards of tokens know no success but 0. */
  constructor({ exitCode, stack }: MethodResult) {
    if (exitCode !== 0) throw new UnexpectedResultError(`A get-method ended with exit code ${exitCode} instead of 0.`)
    this.stack = stack
  }

  readInt(): bigint {
    const entry = this.next('an integer')
    return entry.kind === 'int' ? entry.value : fail('an integer', entry)
  }

  readBool(): boolean {
    return this.readInt() !== 0n
  }

  /** An integer that is a small one by its meaning. */
  readNumber(): number {
    const value = Number(this.readInt())
    if (!Number.isSafeInteger(value)) throw new UnexpectedResultError(`Expected a small integer, but got ${value}.`)
    return value
  }

  readInt32(): number {
    const value = this.readNumber()
    if (value !== (value | 0)) throw new UnexpectedResultError(`Expected an integer of 32 bits, but got ${value}.`)
    return value
  }

  /** An amount, or anything else that is never negative. */
  readUint(): bigint {
    const value = this.readInt()
    if (value < 0n) throw new UnexpectedResultError(`Expected an integer that is not negative, but got ${value}.`)
    return value
  }

  readSlice(): CellSlice {
    const entry = this.next('a slice')
    return entry.kind === 'slice' ? entry.slice : fail('a slice', entry)
  }

  readCell(): Cell {
    const entry = this.next('a cell')
    return entry.kind === 'cell' ? entry.cell : fail('a cell', entry)
  }

  /** A cell, or nothing: dictionaries without entries are null. */
  readMaybeCell(): Cell | undefined {
    const entry = this.next('a cell or null')
    if (entry.kind === 'null') return undefined
    return entry.kind === 'cell' ? entry.cell : fail('a cell or null', entry)
  }

  nextIsNull(): boolean {
    return this.stack[this.at]?.kind === 'null'
  }

  /** The content of a slice or of a cell: contracts return addresses and texts as either. */
  readContent(): CellReader {
    const entry = this.next('a slice')
    if (entry.kind === 'slice') return openSlice(entry.slice)
    return entry.kind === 'cell' ? openCell(entry.cell) : fail('a slice', entry)
  }

  /** A standard address, or none. Other kinds of address throw. */
  readMaybeAddress(): Address | undefined {
    const address = readMsgAddress(this.readContent())
    if (address.kind === 'none') return undefined
    if (address.kind !== 'std' || address.anycast !== undefined) {
      throw new UnexpectedResultError(`Expected a standard address, but got one of kind ${address.kind}.`)
    }
    return { workchain: address.workchain, hash: address.hash.slice() }
  }

  /** An address where there is one: null and an empty slice are none, too. */
  readOptionalAddress(): Address | undefined {
    const entry = this.stack[this.at]
    const isNone = entry?.kind === 'null' || (entry?.kind === 'slice' && entry.slice.bitStart === entry.slice.bitEnd)
    if (!isNone) return this.readMaybeAddress()
    this.at++
    return undefined
  }

  readAddress(): Address {
    const address = this.readMaybeAddress()
    if (address === undefined) throw new UnexpectedResultError('Expected an address, but got the empty one.')
    return address
  }

  private next(what: string): VmValue {
    const entry = this.stack[this.at++]
    if (entry === undefined) {
      throw new UnexpectedResultError(`Entry ${this.at} of a result should be ${what}, it has ${this.stack.length}.`)
    }
    return entry
  }
}

const fail = (expected: string, { kind }: VmValue): never => {
  throw new UnexpectedResultError(`A get-method should leave ${expected} where it left a ${kind}.`)
}

const numberedType: DictType<number, MsgAddress> = {
  key: uintKey(8),
  value: { read: readMsgAddress, write: writeMsgAddress },
}

/** Addresses by numbers of 8 bits, in the order of those. */
export const listNumberedAddresses = (root: Cell | undefined): Address[] =>
  new Dict(numberedType, root).entries({ maxNodes: 511 }).map(([number, address]) => {
    if (address.kind !== 'std' || address.anycast !== undefined) {
      throw new UnexpectedResultError(`Address ${number} of a list should be a standard one, it is ${address.kind}.`)
    }
    return { workchain: address.workchain, hash: address.hash.slice() }
  })

export const intArgument = (value: bigint): VmValue => ({ kind: 'int', value })

export const cellArgument = (cell: Cell): VmValue => ({ kind: 'cell', cell })

/** Bytes as a slice: 127 are the most that fit. */
export const bytesArgument = (bytes: Uint8Array): VmValue => ({
  kind: 'slice',
  slice: wholeSlice(new CellWriter().writeBytes(bytes).toCell()),
})

export const addressArgument = ({ workchain, hash }: Address): VmValue => {
  const w = new CellWriter()
  writeMsgAddress(w, { kind: 'std', workchain, hash, anycast: undefined })
  return { kind: 'slice', slice: wholeSlice(w.toCell()) }
}
