import type { Cell, CellSlice } from '../../codec/cell/Cell.ts'
import { type CellReader, openCell } from '../../codec/cell/CellReader.ts'
import { CellError, PrunedBranchError } from '../../codec/cell/errors.ts'
import { type ExtraCurrencies, NO_EXTRA_CURRENCIES, readExtraCurrencies } from '../../codec/tlb/CurrencyCollection.ts'
import { type MsgAddress, readMsgAddress } from '../../codec/tlb/MsgAddress.ts'
import { readStateInit, type StateInit } from '../../codec/tlb/StateInit.ts'
import { isCurrencyDict, MAX_CHECKED_CELLS } from './dictionaries.ts'

/** An amount, and whether it is written without leading zero bytes. */
type LooseGrams = { readonly value: bigint; readonly isShortest: boolean }

/** A message as a contract wrote it, with its parts as they stand. */
export type RelaxedMessage = {
  readonly isExternal: boolean
  readonly ihrDisabled: boolean
  readonly bounce: boolean
  readonly source: MsgAddress
  readonly destination: MsgAddress
  readonly value: LooseGrams
  readonly extra: ExtraCurrencies
  readonly extraFlags: LooseGrams
  readonly forwardFee: LooseGrams
  readonly init: { readonly value: StateInit; readonly inRef: boolean; readonly slice: CellSlice } | undefined
  /** Behind the bit that says where it stands. */
  readonly body: { readonly inRef: boolean; readonly slice: CellSlice }
}

const NONE: LooseGrams = { value: 0n, isShortest: true }

const readLooseGrams = (r: CellReader): LooseGrams => {
  const length = r.readUint(4)
  const value = r.readUintWide(8 * length)
  return { value, isShortest: length === 0 || value >> BigInt(8 * (length - 1)) !== 0n }
}

/** Reads a `MessageRelaxed`, or gives `undefined` where it is none. */
export const readRelaxedMessage = (cell: Cell): RelaxedMessage | undefined => {
  try {
    return parse(openCell(cell))
  } catch (error) {
    if (error instanceof CellError || error instanceof PrunedBranchError) return undefined
    throw error
  }
}

export const isRelaxedMessage = (cell: Cell): boolean => readRelaxedMessage(cell) !== undefined

const parse = (r: CellReader): RelaxedMessage => {
  const isExternal = r.readBit()
  if (isExternal) r.expectTag(1, 1)
  const ihrDisabled = isExternal || r.readBit()
  const bounce = !isExternal && r.readBit()
  if (!isExternal) r.skipBits(1)
  const source = readMsgAddress(r)
  const destination = readMsgAddress(r)
  const isOutside = destination.kind === 'none' || destination.kind === 'extern'
  if (isOutside !== isExternal) throw new CellError('The destination of a message is of the wrong kind.')
  const money = isExternal ? undefined : readMoney(r)
  r.skipBits(64 + 32)
  const init = r.readBit() ? readInit(r) : undefined
  const inRef = r.readBit()
  if (inRef && (r.remainingBits !== 0 || r.remainingRefs !== 1)) throw new CellError('More than a body follows.')
  // A body of its own is looked into: an exotic cell is none.
  if (inRef) openCell(r.clone().readRefCell())
  // The action, the message, and parts in cells of their own count as well.
  const around = 2 + (init?.inRef === true ? 1 : 0) + (inRef ? 1 : 0)
  if (money !== undefined && !isCurrencyDict(money.extra, MAX_CHECKED_CELLS - around)) {
    throw new CellError('The extra currencies of a message are malformed.')
  }
  return {
    isExternal,
    ihrDisabled,
    bounce,
    source,
    destination,
    value: money?.value ?? NONE,
    extra: money?.extra ?? NO_EXTRA_CURRENCIES,
    extraFlags: money?.extraFlags ?? NONE,
    forwardFee: money?.forwardFee ?? NONE,
    init,
    body: { inRef, slice: r.rest() },
  }
}

const readMoney = (r: CellReader) => {
  const value = readLooseGrams(r)
  const extra = readExtraCurrencies(r)
  return { value, extra, extraFlags: readLooseGrams(r), forwardFee: readLooseGrams(r) }
}

const readInit = (r: CellReader): NonNullable<RelaxedMessage['init']> => {
  const inRef = r.readBit()
  const start = r.clone()
  if (inRef) {
    const inner = openCell(r.readRefCell())
    const value = readStateInit(inner)
    inner.expectEnd('A StateInit')
    return { inRef, value, slice: r.sliceSince(start) }
  }
  const value = readStateInit(r)
  return { inRef, value, slice: r.sliceSince(start) }
}
