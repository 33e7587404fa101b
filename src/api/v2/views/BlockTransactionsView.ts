import { type Static, Type } from 'typebox'
import { type BlockList, blockListMembers, toBlockListMembers } from './blockListMembers.ts'
import { ShortIdView } from './ShortIdView.ts'
import { typeName } from './scalars.ts'

export const BlockTransactionsView = Type.Object(
  { '@type': typeName('blocks.transactions'), ...blockListMembers, transactions: Type.Array(ShortIdView) },
  { $id: 'BlockTransactions', description: 'Transactions of a block by account, then by logical time.' },
)

export const toBlockTransactionsView = (
  list: BlockList<Static<typeof ShortIdView>>,
): Static<typeof BlockTransactionsView> => ({
  '@type': 'blocks.transactions',
  ...toBlockListMembers(list),
  transactions: [...list.transactions],
})
