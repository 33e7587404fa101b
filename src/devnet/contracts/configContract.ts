import type { Cell } from '../../codec/cell/Cell.ts'
import { CellWriter } from '../../codec/cell/CellWriter.ts'
import type { Address } from '../../primitives/Address.ts'
import { externalMessage, signedBody } from './outgoingMessage.ts'
import type { Signer } from './Signer.ts'

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
