import type { ContractState } from '../../src/chain/ports.ts'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { CellWriter, emptyCell } from '../../src/codec/cell/CellWriter.ts'
import { packCell } from '../../src/codec/stored/packCell.ts'
import { addressArgument } from '../../src/contracts/getMethods.ts'
import { compiledCode, contractAddress, contractInit } from '../../src/devnet/contracts/contractInit.ts'
import { jettonMinterInit, jettonWalletAddress } from '../../src/devnet/contracts/jettonContracts.ts'
import { onChainContent, writeAddress } from '../../src/devnet/contracts/messages.ts'
import { type Address, addressKeyOf } from '../../src/primitives/Address.ts'
import { contractAt } from './contractRunner.ts'
import type { SampleRequest } from './inspectSample.ts'
import { filled } from './sampleMessages.ts'
import { scriptedCode } from './scriptedCode.ts'
import { cell, int } from './scriptedMethods.ts'

export const at = (byte: number): Address => ({ workchain: 0, hash: filled(byte) })
export const key = (byte: number): Uint8Array => addressKeyOf(at(byte))

const minterInit = jettonMinterInit(at(9), onChainContent({ name: 'Nul\0 is not', symbol: '\\u0000', decimals: '9' }))
export const minter = contractAt(contractAddress(minterInit), minterInit)
export const minterKey = addressKeyOf(minter.address)

/** A wallet of the jetton as its own code keeps it, at any address. */
export const walletAt = (address: Address, owner: Address, balance: bigint): ContractState => {
  const data = writeAddress(writeAddress(new CellWriter().writeCoins(balance), owner), minter.address)
  return contractAt(address, contractInit(compiledCode('jettonWallet'), data.toCell()))
}
export const wallet = (balance: bigint): ContractState =>
  walletAt(jettonWalletAddress(at(2), minter.address), at(2), balance)

export const scripted = (
  address: Address,
  methods: Parameters<typeof scriptedCode>[0],
  data: Cell = emptyCell,
): ContractState => contractAt(address, contractInit(scriptedCode(methods), data))

/** Says that it is a wallet of the real jetton. */
export const liar = scripted(at(66), {
  get_wallet_data: [int(10n ** 30n), addressArgument(at(2)), addressArgument(minter.address), cell(emptyCell)],
})

const request = {
  aborted: false,
  queryId: 2n ** 64n - 1n,
  source: key(2),
  responseDestination: new Uint8Array(0),
  customPayload: undefined,
} as const

export const transfer = (to: Address, lt: bigint, aborted = false): SampleRequest => ({
  to,
  lt,
  request: {
    ...request,
    aborted,
    kind: 'jettonTransfer',
    amount: 5n,
    destination: key(3),
    forwardAmount: 1n,
    forwardPayload: packCell(emptyCell),
  },
})
export const burn = (to: Address, lt: bigint): SampleRequest => ({
  to,
  lt,
  request: { ...request, kind: 'jettonBurn', amount: 6n },
})
export const nftTransfer = (to: Address, lt: bigint): SampleRequest => ({
  to,
  lt,
  request: { ...request, kind: 'nftTransfer', newOwner: key(3), forwardAmount: 0n, forwardPayload: undefined },
})
