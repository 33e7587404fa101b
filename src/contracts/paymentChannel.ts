import type { Cell } from '../codec/cell/Cell.ts'
import { type CellReader, openCell } from '../codec/cell/CellReader.ts'
import { CellError } from '../codec/cell/errors.ts'
import { readWholeRef } from '../codec/cell/wholeCell.ts'
import { readMsgAddressInt } from '../codec/tlb/MsgAddress.ts'
import type { Address } from '../primitives/Address.ts'

/** One end of a channel: whose key signs, and where the money goes in the end. */
export type ChannelParty = { readonly publicKey: Uint8Array; readonly address: Address }

export type ChannelConfig = {
  readonly a: ChannelParty
  readonly b: ChannelParty
  /** In seconds. */
  readonly initTimeout: number
  readonly closeTimeout: number
  readonly channelId: bigint
  readonly minAExtra: bigint
}

/** While both pay in (`init`) and while both say what they owe each other (`close`). */
type OpenChannel<Amounts> = Amounts & {
  readonly signedA: boolean
  readonly signedB: boolean
  readonly expireAt: number
  readonly amountA: bigint
  readonly amountB: bigint
}

export type ChannelState =
  | OpenChannel<{ readonly kind: 'init'; readonly minA: bigint; readonly minB: bigint }>
  | OpenChannel<{ readonly kind: 'close'; readonly promiseA: bigint; readonly promiseB: bigint }>
  | { readonly kind: 'payout'; readonly amountA: bigint; readonly amountB: bigint }

export type PaymentChannel = { readonly config: ChannelConfig; readonly state: ChannelState }

/** The reference payment channel: chan_data config:^ChanConfig state:^ChanState = ChanData; */
export const findPaymentChannel = (data: Cell): PaymentChannel | undefined => {
  try {
    const r = openCell(data)
    const config = readWholeRef(r, readChannelConfig, 'The configuration of a payment channel')
    const state = readWholeRef(r, readChannelState, 'The state of a payment channel')
    return { config, state }
  } catch (error) {
    if (error instanceof CellError) return undefined
    throw error
  }
}

/**
 * chan_config$_ init_timeout:uint32 close_timeout:uint32 a_key:bits256 b_key:bits256 a_addr:^MsgAddressInt
 *   b_addr:^MsgAddressInt channel_id:uint64 min_A_extra:Grams = ChanConfig;
 */
const readChannelConfig = (r: CellReader): ChannelConfig => {
  const initTimeout = r.readUint(32)
  const closeTimeout = r.readUint(32)
  const keyA = r.readBytes(32).slice()
  const keyB = r.readBytes(32).slice()
  const a = { publicKey: keyA, address: readStdAddress(r.readRef()) }
  const b = { publicKey: keyB, address: readStdAddress(r.readRef()) }
  return { a, b, initTimeout, closeTimeout, channelId: r.readUint64(), minAExtra: r.readCoins() }
}

const readStdAddress = (r: CellReader): Address => {
  const address = readMsgAddressInt(r)
  if (address.kind !== 'std') throw new CellError('The parties of a payment channel have standard addresses.')
  return { workchain: address.workchain, hash: address.hash.slice() }
}

/**
 * chan_state_init$000 signed_A:Bool signed_B:Bool min_A:Grams min_B:Grams expire_at:uint32 A:Grams B:Grams = ChanState;
 * chan_state_close$001 signed_A:Bool signed_B:Bool promise_A:Grams promise_B:Grams expire_at:uint32 A:Grams B:Grams = ChanState;
 * chan_state_payout$010 A:Grams B:Grams = ChanState;
 */
const readChannelState = (r: CellReader): ChannelState => {
  const tag = r.readUint(3)
  if (tag === 2) return { kind: 'payout', amountA: r.readCoins(), amountB: r.readCoins() }
  if (tag > 2) throw new CellError(`The state of a payment channel has tag 0 to 2, but got ${tag}.`)
  const signedA = r.readBit()
  const signedB = r.readBit()
  const first = r.readCoins()
  const second = r.readCoins()
  const rest = { signedA, signedB, expireAt: r.readUint(32), amountA: r.readCoins(), amountB: r.readCoins() }
  return tag === 0
    ? { kind: 'init', minA: first, minB: second, ...rest }
    : { kind: 'close', promiseA: first, promiseB: second, ...rest }
}
