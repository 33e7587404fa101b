import { AugDict } from '../../codec/cell/AugDict.ts'
import { accountNoneCell } from '../../codec/tlb/Account.ts'
import { type AccountBlocks, accountBlocksType, accountTransactionsType } from '../../codec/tlb/Transaction.ts'
import type { BlockDraft } from './BlockDraft.ts'

/** The transactions of a block by account. */
export const accountBlocksOf = (draft: BlockDraft): AccountBlocks => {
  const ran = draft.accounts.list().filter(({ transactions }) => transactions.length > 0)
  return AugDict.of(
    accountBlocksType,
    ran.map(({ hash, original, current, transactions }) => [
      hash,
      {
        accountAddr: hash,
        transactions: AugDict.of(accountTransactionsType, transactions),
        stateUpdate: { oldHash: (original?.account ?? accountNoneCell).hash(), newHash: current.account.hash() },
      },
    ]),
  )
}
