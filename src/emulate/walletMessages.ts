import { type Cell, wholeSlice } from '../codec/cell/Cell.ts'
import { CellWriter } from '../codec/cell/CellWriter.ts'
import { Dict } from '../codec/cell/Dict.ts'
import { CellError } from '../codec/cell/errors.ts'
import { readWhole, writeWhole } from '../codec/cell/wholeCell.ts'
import { openAccount } from '../codec/tlb/Account.ts'
import { type ExtraCurrencies, extraCurrenciesType, NO_EXTRA_CURRENCIES } from '../codec/tlb/CurrencyCollection.ts'
import { type MessageInit, writeMessage } from '../codec/tlb/Message.ts'
import { ADDR_NONE, type AddrStd, type MsgAddress } from '../codec/tlb/MsgAddress.ts'
import { writeOutList } from '../codec/tlb/OutList.ts'
import type { ShardAccount } from '../codec/tlb/ShardAccounts.ts'
import { readStateInit, type StateInit } from '../codec/tlb/StateInit.ts'
import { findWalletFacts, findWalletKind, type WalletFacts } from '../contracts/wallets.ts'
import type { Address } from '../primitives/Address.ts'
import { EmulateRequestError, UnsupportedWalletError } from './errors.ts'

/** A message of a TON Connect request. */
export type TonConnectMessage = {
  readonly to: Address
  readonly bounce: boolean
  readonly amount: bigint
  readonly payload: Cell | undefined
  readonly init: Cell | undefined
  readonly extraCurrencies: ReadonlyMap<number, bigint>
}

export type TonConnectRequest = {
  readonly from: Address
  readonly messages: readonly TonConnectMessage[]
  /** Unix time. */
  readonly validUntil: number
  /** StateInit of a wallet that is not deployed yet. */
  readonly fromInit: Cell | undefined
}

export const toAddrStd = ({ workchain, hash }: Address): AddrStd => ({
  kind: 'std',
  workchain,
  hash,
  anycast: undefined,
})

/** Parses a StateInit for a message, where it stands in a reference. */
const toMessageInit = (cell: Cell): MessageInit => {
  try {
    return { inRef: true, value: readWhole(cell, readStateInit, 'A StateInit') }
  } catch (error) {
    if (!(error instanceof CellError)) throw error
    throw new EmulateRequestError(`invalid stateInit: ${error.message}`)
  }
}

const toExtraCurrencies = (amounts: ReadonlyMap<number, bigint>): ExtraCurrencies =>
  amounts.size === 0 ? NO_EXTRA_CURRENCIES : Dict.of(extraCurrenciesType, amounts)

const PAY_FEES_IGNORE_ERRORS = 3
const V5_SIGNED_EXTERNAL = 0x7369676e
const NO_SIGNATURE = new Uint8Array(64)

type WalletType = { readonly maxMessages: number; readonly body: WriteBody }

type WriteBody = (wallet: WalletFacts, validUntil: number, messages: readonly Cell[]) => Cell

const startBody = (w: CellWriter, { walletId = 0, seqno = 0 }: WalletFacts, validUntil: number): CellWriter =>
  w.writeInt(walletId, 32).writeUint(validUntil, 32).writeUint(seqno, 32)

const addMessages = (w: CellWriter, messages: readonly Cell[]): Cell => {
  for (const message of messages) w.writeUint(PAY_FEES_IGNORE_ERRORS, 8).writeRef(message)
  return w.toCell()
}

const v3Body: WriteBody = (wallet, validUntil, messages) =>
  addMessages(startBody(new CellWriter().writeBytes(NO_SIGNATURE), wallet, validUntil), messages)

const v4Body: WriteBody = (wallet, validUntil, messages) =>
  addMessages(startBody(new CellWriter().writeBytes(NO_SIGNATURE), wallet, validUntil).writeUint(0, 8), messages)

const v5Body: WriteBody = (wallet, validUntil, messages) =>
  startBody(new CellWriter().writeUint(V5_SIGNED_EXTERNAL, 32), wallet, validUntil)
    .writeMaybeRef(
      writeWhole(
        writeOutList,
        messages.map((message) => ({ kind: 'sendMessage', mode: PAY_FEES_IGNORE_ERRORS, message }) as const),
      ),
    )
    .writeBit(false)
    .writeBytes(NO_SIGNATURE)
    .toCell()

const walletTypes: ReadonlyMap<string, WalletType> = new Map([
  ['wallet_v3r1', { maxMessages: 4, body: v3Body }],
  ['wallet_v3r2', { maxMessages: 4, body: v3Body }],
  ['wallet_v4r1', { maxMessages: 4, body: v4Body }],
  ['wallet_v4r2', { maxMessages: 4, body: v4Body }],
  ['wallet_v5r1', { maxMessages: 255, body: v5Body }],
])

/** The external message that a wallet would get for a request, with a signature of zeros. */
export const writeTonConnectMessage = (request: TonConnectRequest, wallet: ShardAccount): Cell => {
  const { from, messages, validUntil, fromInit } = request
  const own = findInit(wallet)
  const init = own ?? (fromInit === undefined ? undefined : toMessageInit(fromInit).value)
  const { code, data } = init ?? {}
  if (code === undefined || data === undefined) throw new UnsupportedWalletError('Account state no code or no data')
  const kind = findWalletKind(code.hash())
  const type = walletTypes.get(kind?.interfaceName ?? '')
  const facts = kind && findWalletFacts(kind, data)
  if (type === undefined || facts === undefined) throw new UnsupportedWalletError(describeUnknown(kind?.walletType))
  if (messages.length > type.maxMessages) {
    throw new EmulateRequestError(`messages array cannot contain more than ${type.maxMessages} messages`)
  }
  const body = type.body(facts, validUntil, messages.map(toRelaxedMessage))
  return writeWhole(writeMessage, {
    info: { kind: 'externalIn', source: ADDR_NONE, destination: toAddrStd(from), importFee: 0n },
    init: own === undefined && fromInit !== undefined ? toMessageInit(fromInit) : undefined,
    body: wholeSlice(body),
  })
}

const describeUnknown = (walletType: string | undefined): string => {
  const [, version] = /^wallet (v[12] r\d)$/.exec(walletType ?? '') ?? []
  return version === undefined ? 'Account is not a known wallet' : `Unsupported wallet type: ${version}`
}

const findInit = ({ account }: ShardAccount): StateInit | undefined => {
  const opened = openAccount(account)
  return opened.kind === 'account' && opened.state.kind === 'active' ? opened.state.init : undefined
}

const emptyBody = new CellWriter().toCell()

const toRelaxedMessage = (message: TonConnectMessage): Cell => writeInternal(ADDR_NONE, message)

/** An internal message as a contract writes it, or as it arrives from a source. */
export const writeInternal = (source: MsgAddress, message: TonConnectMessage): Cell =>
  writeWhole(writeMessage, {
    info: {
      kind: 'internal',
      ihrDisabled: true,
      bounce: message.bounce,
      bounced: false,
      source,
      destination: toAddrStd(message.to),
      value: { grams: message.amount, extra: toExtraCurrencies(message.extraCurrencies) },
      extraFlags: 0n,
      fwdFee: 0n,
      createdLt: 0n,
      createdAt: 0,
    },
    init: message.init && toMessageInit(message.init),
    body: message.payload ?? wholeSlice(emptyBody),
  })
