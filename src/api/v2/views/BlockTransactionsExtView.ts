import { type Static, Type } from 'typebox'
import { type BlockList, blockListMembers, toBlockListMembers } from './blockListMembers.ts'
import { RawTransactionExtView } from './RawTransactionExtView.ts'
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
  list: BlockList<Static<typeof RawTransactionExtView>>,
): Static<typeof BlockTransactionsExtView> => ({
  '@type': 'blocks.transactionsExt',
  ...toBlockListMembers(list),
  transactions: [...list.transactions],
})
