import type { Cell } from '../../codec/cell/Cell.ts'
import { CellWriter } from '../../codec/cell/CellWriter.ts'
import type { StateInit } from '../../codec/tlb/StateInit.ts'
import type { Address } from '../../primitives/Address.ts'
import { compiledCode, contractAddress, contractInit } from './contractInit.ts'
import { startBody, writeAddress, writePayload } from './messages.ts'

const TRANSFER = 0x0f8a7ea5
const INTERNAL_TRANSFER = 0x178d4519
const BURN = 0x595f07bc
const MINT = 0x642b7d07
const PROVIDE_WALLET_ADDRESS = 0x2c76b973

export const jettonMinterInit = (admin: Address, content: Cell): StateInit => {
  const w = writeAddress(new CellWriter().writeCoins(0n), admin)
  return contractInit(compiledCode('jettonMinter'), w.writeRef(content).writeRef(compiledCode('jettonWallet')).toCell())
}

export const jettonWalletAddress = (owner: Address, minter: Address): Address => {
  const data = writeAddress(writeAddress(new CellWriter().writeCoins(0n), owner), minter).toCell()
  return contractAddress(contractInit(compiledCode('jettonWallet'), data))
}

export type JettonTransfer = {
  readonly queryId: bigint
  readonly amount: bigint
  readonly destination: Address
  readonly responseDestination: Address | undefined
  /** Sent on to the receiver with the payload, where it is not 0. */
  readonly forwardAmount: bigint
  readonly forwardPayload: Cell | undefined
}

export const jettonTransferBody = (transfer: JettonTransfer): Cell => {
  const w = startBody(TRANSFER, transfer.queryId).writeCoins(transfer.amount)
  writeAddress(writeAddress(w, transfer.destination), transfer.responseDestination)
  w.writeBit(false).writeCoins(transfer.forwardAmount)
  return writePayload(w, transfer.forwardPayload).toCell()
}

export const jettonBurnBody = (queryId: bigint, amount: bigint, responseDestination: Address): Cell =>
  writeAddress(startBody(BURN, queryId).writeCoins(amount), responseDestination).writeBit(false).toCell()

/** Mints jettons for an owner; `value` is forwarded to the jetton wallet. */
export const jettonMintBody = (
  queryId: bigint,
  to: Address,
  amount: bigint,
  value: bigint,
  response: Address,
): Cell => {
  const inner = writeAddress(startBody(INTERNAL_TRANSFER, queryId).writeCoins(amount), undefined)
  const transfer = writePayload(writeAddress(inner, response).writeCoins(0n), undefined).toCell()
  return writeAddress(startBody(MINT, queryId), to).writeCoins(value).writeRef(transfer).toCell()
}

/** Requests the address of an owner's jetton wallet from the minter (TEP-89). */
export const provideWalletAddressBody = (queryId: bigint, owner: Address): Cell =>
  writeAddress(startBody(PROVIDE_WALLET_ADDRESS, queryId), owner).writeBit(true).toCell()
