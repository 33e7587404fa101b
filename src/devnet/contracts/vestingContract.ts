import type { Cell } from '../../codec/cell/Cell.ts'
import { CellWriter } from '../../codec/cell/CellWriter.ts'
import type { StateInit } from '../../codec/tlb/StateInit.ts'
import type { Address } from '../../primitives/Address.ts'
import { compiledCode, contractInit } from './contractInit.ts'
import { modeOf, type OutgoingMessage, outgoingMessageCell, startBody, writeAddress } from './messages.ts'

const SEND = 0xa7733acd
const ADD_TO_WHITELIST = 0x7258a69b
const WALLET_ID = 0x10c

export type VestingTerms = {
  readonly startTime: number
  /** Durations are in seconds. */
  readonly totalDuration: number
  readonly unlockPeriod: number
  readonly cliffDuration: number
  readonly totalAmount: bigint
  /** The sender of the vested amount: may whitelist addresses that the owner may always send to. */
  readonly sender: Address
  readonly owner: Address
  readonly ownerKey: Uint8Array
}

export const vestingInit = (terms: VestingTerms): StateInit => {
  const inner = new CellWriter()
    .writeUint64(BigInt(terms.startTime))
    .writeUint(terms.totalDuration, 32)
    .writeUint(terms.unlockPeriod, 32)
    .writeUint(terms.cliffDuration, 32)
    .writeCoins(terms.totalAmount)
  writeAddress(writeAddress(inner, terms.sender), terms.owner)
  const data = new CellWriter()
    .writeUint(0, 32)
    .writeUint(WALLET_ID, 32)
    .writeBytes(terms.ownerKey)
    .writeBit(false)
    .writeRef(inner.toCell())
  return contractInit(compiledCode('vesting'), data.toCell())
}

/** The owner's request to send a message. */
export const vestingSendBody = (queryId: bigint, message: OutgoingMessage): Cell =>
  startBody(SEND, queryId).writeUint(modeOf(message), 8).writeRef(outgoingMessageCell(message)).toCell()

/** The sender's request to list addresses, at least one. */
export const vestingWhitelistBody = (queryId: bigint, first: Address, more: readonly Address[] = []): Cell => {
  let rest: Cell | undefined
  for (const address of more.toReversed()) rest = chain(new CellWriter(), address, rest)
  return chain(startBody(ADD_TO_WHITELIST, queryId), first, rest)
}

const chain = (w: CellWriter, address: Address, rest: Cell | undefined): Cell => {
  writeAddress(w, address)
  return (rest === undefined ? w : w.writeRef(rest)).toCell()
}
