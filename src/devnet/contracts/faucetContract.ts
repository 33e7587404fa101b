import type { Cell } from '../../codec/cell/Cell.ts'
import { CellWriter } from '../../codec/cell/CellWriter.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import { writeOutList } from '../../codec/tlb/OutList.ts'
import type { StateInit } from '../../codec/tlb/StateInit.ts'
import type { Address } from '../../primitives/Address.ts'
import { compiledCode } from './compiledCode.ts'
import { contractAddress, contractInit } from './contractInit.ts'
import { externalMessage, type OutgoingMessage, signedBody, toSendAction } from './outgoingMessage.ts'
import type { Signer } from './Signer.ts'

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
