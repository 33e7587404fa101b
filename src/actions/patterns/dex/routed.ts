import { expectPresent, MatchRefusedError } from '../../match/MatchRefusedError.ts'
import { call, kindOf, oneOf, type Pattern } from '../../match/Pattern.ts'
import type { Block } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { jettonOps, readPtonTransfer } from '../bodies/jetton.ts'
import type { Payload } from '../bodies/payload.ts'
import { isCall } from '../core/isCall.ts'
import { type JettonTransferData, jettonTransfer } from '../jetton/jettonTransfer.ts'
import { byTime } from './byTime.ts'
import { type DexTransfer, toDexTransfer } from './DexTransfer.ts'

// Routers with wallets of their own take jettons by transfers, and native coins through a wallet that stands for them.

/** What pays a router before it calls a pool. */
export const paidIn: Pattern = oneOf([
  kindOf(jettonTransfer),
  call(jettonOps.notify, { previous: call(jettonOps.ptonTransfer) }),
])

/** As {@link paidIn}, also where the wallet of the router got the jettons from another one by a step more. */
export const paidInSomehow: Pattern = oneOf([
  paidIn,
  call(jettonOps.notify, { previous: call(jettonOps.internalTransfer, { previous: kindOf(jettonTransfer) }) }),
])

export type PaidIn = {
  readonly transfer: DexTransfer
  /** What was asked for along with it. */
  readonly request: Payload | undefined
  /** The block with which the payment began. */
  readonly block: Block
}

/** The payment before a call of a router. */
export const readPaidIn = (called: Block): PaidIn => {
  const before = expectPresent(called.previous, 'payment')
  const block = expectPresent(before.previous, 'payment')
  for (const paid of [before, block.previous]) {
    if (paid?.is(jettonTransfer) && (paid === before || isCall(block, jettonOps.internalTransfer))) {
      return { transfer: toDexTransfer(paid.data), request: paid.data.forward, block: paid as Block }
    }
  }
  const { source, destination } = messageOf(block)
  const { tonAmount, forward } = readPtonTransfer(block)
  const transfer = {
    asset: undefined,
    amount: tonAmount,
    source,
    sourceWallet: undefined,
    destination: messageOf(called).source,
    destinationWallet: destination,
  }
  return { transfer, request: forward, block }
}

/** The message by which a wallet that stands for the native coin passes on coins. */
const findPtonPayout = (transfer: Block): Block | undefined =>
  transfer.next.find((next) => next.container === undefined && isCall(next, jettonOps.ptonTransfer))

export type PaidOut = { readonly transfer: DexTransfer; readonly pton: Block | undefined }

/** What a router sent by a transfer of its own. */
export const readPaidOut = (block: Block<JettonTransferData>): PaidOut => {
  const transfer = toDexTransfer(block.data)
  const pton = findPtonPayout(block)
  if (pton === undefined) return { transfer, pton }
  const { destination } = messageOf(pton)
  const amount = readPtonTransfer(pton).tonAmount
  return { transfer: { ...transfer, asset: undefined, amount, destination, destinationWallet: undefined }, pton }
}

/** As {@link readPaidOut}, of one that must have arrived. */
export const getPaidOut = (block: Block<JettonTransferData> | undefined): PaidOut => {
  const paid = readPaidOut(expectPresent(block, 'payout'))
  if (paid.pton === undefined && paid.transfer.destinationWallet === undefined) {
    throw new MatchRefusedError('The coins were never passed on.')
  }
  return paid
}

/** The transfers among some blocks, in order of time. */
export const listTransfers = (blocks: readonly Block[]): Block<JettonTransferData>[] =>
  blocks.filter((block): block is Block<JettonTransferData> => block.is(jettonTransfer)).sort(byTime)
