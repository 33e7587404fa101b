import { call, kindOf, oneOf, type Pattern } from '../../match/Pattern.ts'
import type { Block } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { coffeeOps, readPay } from '../bodies/coffee.ts'
import { findCall, getCall } from '../core/findCall.ts'
import { type DexTransfer, toDexTransfer } from '../dex/DexTransfer.ts'
import { listTransfers } from '../dex/routed.ts'
import { jettonTransfer } from '../jetton/jettonTransfer.ts'

/** A vault is told to pay, and does. */
export const paidByVault = ({ optional = false }: { readonly optional?: boolean } = {}): Pattern =>
  call(coffeeOps.pay, {
    optional,
    next: oneOf([kindOf(jettonTransfer), call(coffeeOps.payout), call(coffeeOps.notification)]),
  })

/**
 * What a vault paid, by the block in which it is told to. Coins are told as the pool told them, without the fees that come back
 * along with them; where they go to a contract, all is passed on.
 */
export const readPayout = (pay: Block): DexTransfer => {
  const [transfer] = listTransfers(pay.next)
  if (transfer !== undefined) return toDexTransfer(transfer.data)
  const coins = { asset: undefined, sourceWallet: undefined, destinationWallet: undefined }
  const payout = findCall(pay.next, coffeeOps.payout)
  if (payout !== undefined) {
    return { ...coins, amount: readPay(pay), source: messageOf(pay).source, destination: messageOf(payout).destination }
  }
  const { value = 0n, source, destination } = messageOf(getCall(pay.next, coffeeOps.notification))
  return { ...coins, amount: value, source, destination }
}
