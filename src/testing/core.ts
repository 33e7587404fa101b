import { createRequire } from 'node:module'
import type {
  Address as CoreAddress,
  Cell as CoreCell,
  StateInit as CoreStateInit,
  ExtraCurrency,
  TupleItem,
} from '@ton/core'
import type { Cell } from '../codec/cell/Cell.ts'
import { Dict } from '../codec/cell/Dict.ts'
import { decodeSingleBoc } from '../codec/cell/decodeBoc.ts'
import { encodeBoc } from '../codec/cell/encodeBoc.ts'
import { readWhole } from '../codec/cell/wholeCell.ts'
import { type CurrencyCollection, extraCurrenciesType, NO_EXTRA_CURRENCIES } from '../codec/tlb/CurrencyCollection.ts'
import { readStateInit, type StateInit } from '../codec/tlb/StateInit.ts'
import { decodeVmStack, encodeVmStack, type VmStack } from '../codec/tlb/VmStack.ts'
import { type Address, parseAddress } from '../primitives/Address.ts'

type Core = typeof import('@ton/core')

const require = createRequire(import.meta.url)
let loaded: Core | undefined

/**
 * `@ton/core` as the test itself imports it. It is loaded with the first contract, not with the network, and without waiting,
 * because contracts are opened without waiting.
 */
export const core = (): Core => {
  loaded ??= require('@ton/core') as Core
  return loaded
}

/** An address as text in any form, of `@ton/core`, or as the controls have it. */
export type AddressLike = string | Address | Pick<CoreAddress, 'workChain' | 'hash'>

export const toAddress = (address: AddressLike): Address => {
  if (typeof address === 'string') return parseAddress(address)
  return 'workChain' in address ? { workchain: address.workChain, hash: new Uint8Array(address.hash) } : address
}

export const toCoreAddress = ({ workchain, hash }: Address): CoreAddress => {
  const { Address: Made } = core()
  return new Made(workchain, Buffer.from(hash))
}

/** A cell of `@ton/core`, or its BOC as bytes or in base64. */
export type CellLike = CoreCell | Uint8Array | string

const isBytes = (cell: CellLike): cell is Uint8Array => cell instanceof Uint8Array

export const toCell = (cell: CellLike): Cell => {
  if (typeof cell === 'string') return decodeSingleBoc(Buffer.from(cell, 'base64'))
  return decodeSingleBoc(isBytes(cell) ? cell : new Uint8Array(cell.toBoc({ idx: false, crc32: false })))
}

export const toCoreCell = (cell: Cell): CoreCell => core().Cell.fromBoc(toBuffer(encodeBoc([cell])))[0]!

const toBuffer = ({ buffer, byteOffset, length }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, length)

/** The BOC of a cell, as contract states have it. */
export const toBoc = (cell: Cell | undefined): Buffer | null => (cell ? toBuffer(encodeBoc([cell])) : null)

export const toStateInit = (init: CoreStateInit): StateInit => {
  const { beginCell, storeStateInit } = core()
  return readWhole(toCell(beginCell().store(storeStateInit(init)).endCell()), readStateInit, 'A StateInit')
}

export const toCurrencies = (grams: bigint, extra: ExtraCurrency | null | undefined): CurrencyCollection => {
  const entries = Object.entries(extra ?? {}).map(([id, amount]): [number, bigint] => [Number(id), amount])
  return { grams, extra: entries.length === 0 ? NO_EXTRA_CURRENCIES : Dict.of(extraCurrenciesType, entries) }
}

export const toExtraCurrency = ({ extra }: CurrencyCollection): ExtraCurrency => Object.fromEntries(extra.entries())

export const toStack = (items: TupleItem[]): VmStack =>
  decodeVmStack(new Uint8Array(core().serializeTuple(items).toBoc({ idx: false, crc32: false })))

export const toTuple = (stack: VmStack): TupleItem[] =>
  core().parseTuple(core().Cell.fromBoc(toBuffer(encodeVmStack(stack)))[0]!)
