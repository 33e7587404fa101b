import { publicKeyOf, signWith } from '../../adnl/keys.ts'
import { type Cell, wholeSlice } from '../../codec/cell/Cell.ts'
import { CellWriter, emptyCell } from '../../codec/cell/CellWriter.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import { encodeUtf8, writeComment } from '../../codec/content/text.ts'
import { hashName, writeTokenContent } from '../../codec/content/tokenContent.ts'
import { type ExtraCurrencies, NO_EXTRA_CURRENCIES } from '../../codec/tlb/CurrencyCollection.ts'
import { writeMessage } from '../../codec/tlb/Message.ts'
import { ADDR_NONE, type AddrStd, writeMsgAddress } from '../../codec/tlb/MsgAddress.ts'
import type { OutAction } from '../../codec/tlb/OutList.ts'
import type { StateInit } from '../../codec/tlb/StateInit.ts'
import type { Address } from '../../primitives/Address.ts'

export const toAddrStd = ({ workchain, hash }: Address): AddrStd => ({
  kind: 'std',
  workchain,
  hash,
  anycast: undefined,
})

/** An address, or two zero bits where there is none. */
export const writeAddress = (w: CellWriter, address: Address | undefined): CellWriter => {
  writeMsgAddress(w, address === undefined ? ADDR_NONE : toAddrStd(address))
  return w
}

/** A body that says something to people. */
export const commentBody = (text: string): Cell => writeWhole(writeComment, { kind: 'text', bytes: encodeUtf8(text) })

/** Starts a body: what is wanted, and a number that answers repeat. */
export const startBody = (op: number, queryId: bigint): CellWriter =>
  new CellWriter().writeUint(op, 32).writeUint64(queryId)

/** `Either X ^X` in a reference; nothing at all is written as an empty X. */
export const writePayload = (w: CellWriter, payload: Cell | undefined): CellWriter =>
  payload === undefined ? w.writeBit(false) : w.writeBit(true).writeRef(payload)

/** Token content that stands on the chain (TEP-64). */
export const onChainContent = (attributes: Readonly<Record<string, string>>): Cell =>
  writeWhole(writeTokenContent, {
    kind: 'onChain',
    attributes: Object.entries(attributes).map(([name, text]) => ({
      key: hashName(name),
      name,
      value: { kind: 'snake' as const, bytes: encodeUtf8(text) },
    })),
  })

/** Token content that stands elsewhere. */
export const offChainContent = (uri: string): Cell =>
  writeWhole(writeTokenContent, { kind: 'offChain', uri: encodeUtf8(uri) })

/** An Ed25519 key that signs. */
export type Signer = { readonly publicKey: Uint8Array; sign(message: Uint8Array): Uint8Array }

/** The key of a seed of 32 bytes. */
export const createSigner = (seed: Uint8Array): Signer => ({
  publicKey: publicKeyOf(seed),
  sign: signWith(seed),
})

/** Pay the fees of sending apart from the value, and go on with the others if this one cannot be sent. */
const PAY_FEES_IGNORE_ERRORS = 3

/** A message that a wallet is asked to send. */
export type OutgoingMessage = {
  readonly destination: Address
  readonly value: bigint
  readonly extra?: ExtraCurrencies | undefined
  readonly bounce: boolean
  readonly body?: Cell | undefined
  readonly init?: StateInit | undefined
  /** How it is sent; 3 unless told otherwise. */
  readonly mode?: number
}

const toMessageInit = (init: StateInit | undefined) => (init === undefined ? undefined : { inRef: true, value: init })

/** The internal message as a contract makes it: the network fills in the rest. */
export const outgoingMessageCell = ({ destination, value, extra, bounce, body, init }: OutgoingMessage): Cell =>
  writeWhole(writeMessage, {
    info: {
      kind: 'internal',
      ihrDisabled: true,
      bounce,
      bounced: false,
      source: ADDR_NONE,
      destination: toAddrStd(destination),
      value: { grams: value, extra: extra ?? NO_EXTRA_CURRENCIES },
      extraFlags: 0n,
      fwdFee: 0n,
      createdLt: 0n,
      createdAt: 0,
    },
    init: toMessageInit(init),
    body: body ?? wholeSlice(emptyCell),
  })

export const modeOf = ({ mode = PAY_FEES_IGNORE_ERRORS }: OutgoingMessage): number => mode

export const toSendAction = (message: OutgoingMessage): OutAction => ({
  kind: 'sendMessage',
  mode: modeOf(message),
  message: outgoingMessageCell(message),
})

/** A message from outside, ready to be sent to a node. */
export const externalMessage = (destination: Address, body: Cell, init?: StateInit): Cell =>
  writeWhole(writeMessage, {
    info: { kind: 'externalIn', source: ADDR_NONE, destination: toAddrStd(destination), importFee: 0n },
    init: toMessageInit(init),
    body,
  })

/** A body behind the signature of its hash. */
export const signedBody = (key: Signer, body: Cell): Cell =>
  new CellWriter().writeBytes(key.sign(body.hash())).writeSlice(wholeSlice(body)).toCell()
