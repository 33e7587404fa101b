import { type Static, Type } from 'typebox'
import type { TransactionReading } from '../TransactionReading.ts'
import { type BlockList, blockListMembers, toBlockListMembers } from './blockListMembers.ts'
import { RawTransactionExtView, toRawTransactionExtView } from './RawTransactionExtView.ts'
import { typeName } from './scalars.ts'

export const BlockTransactionsExtView = Type.Object(
  {
    '@type': typeName('blocks.transactionsExt'),
    ...blockListMembers,
    transactions: Type.Array(RawTransactionExtView),
  },
  { $id: 'BlockTransactionsExt', description: 'Whole transactions of a block by account, then by logical time.' },
)

export const toBlockTransactionsExtView = (
  list: BlockList<TransactionReading>,
): Static<typeof BlockTransactionsExtView> => ({
  '@type': 'blocks.transactionsExt',
  ...toBlockListMembers(list),
  transactions: list.transactions.map(toRawTransactionExtView),
})
