import type { Cell } from '../../codec/cell/Cell.ts'
import { CellWriter } from '../../codec/cell/CellWriter.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import { writeOutList } from '../../codec/tlb/OutList.ts'
import type { StateInit } from '../../codec/tlb/StateInit.ts'
import type { Address } from '../../primitives/Address.ts'
import { compiledCode, contractAddress, contractInit } from './contractInit.ts'
import { externalMessage, type OutgoingMessage, type Signer, signedBody, toSendAction } from './messages.ts'

const CHANGE_PARAMETER = 0x43665021
const REPLACE_PARAMETERS = 0x43666721

export const configAddress: Address = { workchain: -1, hash: new Uint8Array(32).fill(0x55) }

/** config:^(Hashmap 32 ^Cell) seqno:uint32 public_key:bits256 vote_dict:(HashmapE …); the parameters come first by the rules. */
export const configData = (parameters: Cell, publicKey: Uint8Array): Cell =>
  new CellWriter().writeRef(parameters).writeUint(0, 32).writeBytes(publicKey).writeBit(false).toCell()

/** The message that changes one parameter. */
export const configChange = (key: Signer, seqno: number, validUntil: number, paramId: number, value: Cell): Cell =>
  sign(key, start(CHANGE_PARAMETER, seqno, validUntil).writeInt(paramId, 32).writeRef(value))

/** The message that replaces all parameters; `parameters` is the root of their dictionary. */
export const configReplacement = (key: Signer, seqno: number, validUntil: number, parameters: Cell): Cell =>
  sign(key, start(REPLACE_PARAMETERS, seqno, validUntil).writeRef(parameters))

const start = (action: number, seqno: number, validUntil: number): CellWriter =>
  new CellWriter().writeUint(action, 32).writeUint(seqno, 32).writeUint(validUntil, 32)

const sign = (key: Signer, body: CellWriter): Cell => externalMessage(configAddress, signedBody(key, body.toCell()))

export const electorAddress: Address = { workchain: -1, hash: new Uint8Array(32).fill(0x33) }

/** No election, no credits, no past elections; no money, no active set: the real elector starts like this too. */
export const electorData = (): Cell =>
  new CellWriter()
    .writeBit(false)
    .writeBit(false)
    .writeBit(false)
    .writeCoins(0n)
    .writeUint(0, 32)
    .writeBytes(new Uint8Array(32))
    .toCell()

/** counter:uint32 public_key:bits256 */
export const faucetData = (publicKey: Uint8Array): Cell =>
  new CellWriter().writeUint(0, 32).writeBytes(publicKey).toCell()

export const faucetInit = (publicKey: Uint8Array): StateInit =>
  contractInit(compiledCode('faucet'), faucetData(publicKey))

export const faucetAddress = (publicKey: Uint8Array): Address => contractAddress(faucetInit(publicKey))

/** The message that makes the faucet's account pay, to at most 255 receivers at once. */
export const faucetTransfer = (
  key: Signer,
  counter: number,
  validUntil: number,
  transfers: readonly OutgoingMessage[],
): Cell => {
  const body = new CellWriter()
    .writeUint(counter, 32)
    .writeUint(validUntil, 32)
    .writeRef(writeWhole(writeOutList, transfers.map(toSendAction)))
  return externalMessage(faucetAddress(key.publicKey), signedBody(key, body.toCell()))
}
