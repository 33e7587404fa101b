import { Cell } from '../../codec/cell/Cell.ts'
import { CellWriter } from '../../codec/cell/CellWriter.ts'
import { Dict, type DictType, writeDict } from '../../codec/cell/Dict.ts'
import { cellValue, uintKey } from '../../codec/cell/dictTypes.ts'
import { CellError } from '../../codec/cell/errors.ts'
import { type MsgAddress, readMsgAddress, writeMsgAddress } from '../../codec/tlb/MsgAddress.ts'
import type { StateInit } from '../../codec/tlb/StateInit.ts'
import type { Address } from '../../primitives/Address.ts'
import { compiledCode, contractAddress, contractInit } from './contractInit.ts'
import { modeOf, type OutgoingMessage, outgoingMessageCell, startBody, toAddrStd, writeAddress } from './messages.ts'

const NEW_ORDER = 0xf718510f
const APPROVE = 0xa762230f
const SEND_MESSAGE = 0xf1381e5b

const signersType: DictType<number, MsgAddress> = {
  key: uintKey(8),
  value: { read: readMsgAddress, write: writeMsgAddress },
}
const actionsType: DictType<number, Cell> = { key: uintKey(8), value: cellValue }

const numbered = <T>(values: readonly T[]): (readonly [number, T])[] => values.map((value, index) => [index, value])

const dictOfAddresses = (addresses: readonly Address[]): Dict<number, MsgAddress> =>
  Dict.of(signersType, numbered(addresses.map(toAddrStd)))

const rootOf = ({ root }: Dict<number, unknown>): Cell => {
  if (root instanceof Cell) return root
  throw new CellError('Expected a dictionary with at least one entry, but got an empty one.')
}

export type MultisigOptions = {
  readonly threshold: number
  readonly signers: readonly Address[]
  readonly proposers: readonly Address[]
}

export const multisigInit = ({ threshold, signers, proposers }: MultisigOptions): StateInit => {
  const data = new CellWriter()
    .writeBytes(new Uint8Array(32))
    .writeUint(threshold, 8)
    .writeRef(rootOf(dictOfAddresses(signers)))
    .writeUint(signers.length, 8)
  writeDict(data, dictOfAddresses(proposers))
  return contractInit(compiledCode('multisig'), data.writeBit(false).writeRef(compiledCode('multisigOrder')).toCell())
}

export const multisigOrderAddress = (multisig: Address, seqno: bigint): Address => {
  const data = writeAddress(new CellWriter(), multisig).writeUintWide(seqno, 256).toCell()
  return contractAddress(contractInit(compiledCode('multisigOrder'), data))
}

export type NewOrder = {
  readonly queryId: bigint
  readonly seqno: bigint
  /** Of a signer, who approves thereby, or else of a proposer. */
  readonly isSigner: boolean
  readonly index: number
  readonly expirationDate: number
  readonly messages: readonly OutgoingMessage[]
}

export const newOrderBody = ({ queryId, seqno, isSigner, index, expirationDate, messages }: NewOrder): Cell => {
  const actions = messages.map((message) =>
    new CellWriter()
      .writeUint(SEND_MESSAGE, 32)
      .writeUint(modeOf(message), 8)
      .writeRef(outgoingMessageCell(message))
      .toCell(),
  )
  return startBody(NEW_ORDER, queryId)
    .writeUintWide(seqno, 256)
    .writeBit(isSigner)
    .writeUint(index, 8)
    .writeUint(expirationDate, 48)
    .writeRef(rootOf(Dict.of(actionsType, numbered(actions))))
    .toCell()
}

export const approveBody = (queryId: bigint, index: number): Cell =>
  startBody(APPROVE, queryId).writeUint(index, 8).toCell()
