import type { MatchContext } from '../../match/Matcher.ts'
import { expectPresent } from '../../match/MatchRefusedError.ts'
import { call, oneOf, type Pattern } from '../../match/Pattern.ts'
import type { Block } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { dedustOps } from '../bodies/dedust.ts'
import { jettonOps, readJettonNotify } from '../bodies/jetton.ts'

/** An asset comes to its vault, as coins or as jettons. */
const paidIn = oneOf([
  call(dedustOps.deposit),
  call(jettonOps.notify, { previous: call(jettonOps.internalTransfer, { previous: call(jettonOps.transfer) }) }),
])

/** The vault has the factory make a deposit contract, unless there is one. */
export const askedFactory = ({ isNew }: { readonly isNew: boolean }): Pattern =>
  call(dedustOps.askFactory, { previous: paidIn, next: call(dedustOps.deployDeposit, { optional: !isNew }) })

/** Who sent jettons to a vault, which and how many; the block is the notification of the vault. */
export const readJettonDeposit = (notified: Block, { facts }: MatchContext) => {
  const { amount, from, forward } = readJettonNotify(notified)
  const vaultWallet = expectPresent(facts.of(messageOf(notified).source).jettonWallet, 'wallet of the vault')
  const received = expectPresent(notified.previous, 'transfer between wallets')
  return { amount, from, forward, asset: vaultWallet.jetton, userWallet: messageOf(received).source }
}
