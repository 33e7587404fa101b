import { type Static, Type } from 'typebox'
import type { BlockTransactionKey } from '../../../chain/LiveChain.ts'
import { formatRawAddress } from '../../../primitives/Address.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import { HashView, LtView, typeName } from './scalars.ts'

export const ShortIdView = Type.Object(
  {
    '@type': typeName('blocks.shortTxId'),
    mode: Type.Integer({ description: 'Which of the members are there: always all.', examples: [135] }),
    account: Type.String({ examples: ['-1:3333333333333333333333333333333333333333333333333333333333333333'] }),
    lt: LtView,
    hash: HashView,
  },
  { $id: 'ShortTxId', description: 'Which transaction it is.' },
)

/** Account, lt and hash, from a cursor on. */
const MODE = 135

export const toShortIdView = (
  workchain: number,
  { account, lt, hash }: BlockTransactionKey,
): Static<typeof ShortIdView> => ({
  '@type': 'blocks.shortTxId',
  mode: MODE,
  account: formatRawAddress({ workchain, hash: account }),
  lt: lt.toString(),
  hash: toBase64(hash),
})
