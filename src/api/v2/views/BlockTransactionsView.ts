import { type Static, Type } from 'typebox'
import type { BlockTransactionKey } from '../../../chain/LiveChain.ts'
import { formatRawAddress } from '../../../primitives/Address.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import { type BlockList, blockListMembers, toBlockListMembers } from './blockListMembers.ts'
import { HashView, LtView, typeName } from './scalars.ts'

const ShortIdView = Type.Object(
  {
    '@type': typeName('blocks.shortTxId'),
    mode: Type.Integer({ description: 'Which of the members are there: always all.', examples: [135] }),
    account: Type.String({ examples: ['-1:3333333333333333333333333333333333333333333333333333333333333333'] }),
    lt: LtView,
    hash: HashView,
  },
  { $id: 'ShortTxId', description: 'Which transaction it is.' },
)

export const BlockTransactionsView = Type.Object(
  { '@type': typeName('blocks.transactions'), ...blockListMembers, transactions: Type.Array(ShortIdView) },
  { $id: 'BlockTransactions', description: 'Transactions of a block by account, then by logical time.' },
)

/** Account, lt and hash, from a cursor on. */
const SHORT_ID_MODE = 135

export const toBlockTransactionsView = (
  list: BlockList<BlockTransactionKey>,
): Static<typeof BlockTransactionsView> => ({
  '@type': 'blocks.transactions',
  ...toBlockListMembers(list),
  transactions: list.transactions.map(({ account, lt, hash }) => ({
    '@type': 'blocks.shortTxId',
    mode: SHORT_ID_MODE,
    account: formatRawAddress({ workchain: list.block.workchain, hash: account }),
    lt: lt.toString(),
    hash: toBase64(hash),
  })),
})
