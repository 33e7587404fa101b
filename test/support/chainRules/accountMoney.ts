import type { Account } from '../../../src/codec/tlb/Account.ts'
import { type Amount, amountOf, gramsAmount, NOTHING, subtractAmount, sumAmounts } from './amounts.ts'
import type { AccountBlockView } from './BlockView.ts'

export const balanceOf = (account: Account): Amount => (account.kind === 'none' ? NOTHING : amountOf(account.balance))

/** What an account has more than by its transactions: all that came in, less all that went out and all fees. */
export const surplusOf = (
  { transactions }: AccountBlockView,
  before: Account,
  after: Account,
  ihrFeeCounts: boolean,
): Amount => {
  const ihrFee = (flags: bigint): Amount => gramsAmount(ihrFeeCounts ? flags : 0n)
  const income = [balanceOf(before)]
  const expense = [balanceOf(after)]
  for (const { tx, inMessage, outMessages } of transactions) {
    const incoming = inMessage?.info
    if (incoming?.kind === 'internal') income.push(amountOf(incoming.value), ihrFee(incoming.extraFlags))
    expense.push(amountOf(tx.totalFees))
    for (const { info } of outMessages) {
      if (info.kind !== 'internal') continue
      expense.push(amountOf(info.value), gramsAmount(info.fwdFee), ihrFee(info.extraFlags))
    }
  }
  return subtractAmount(sumAmounts(expense), sumAmounts(income))
}
