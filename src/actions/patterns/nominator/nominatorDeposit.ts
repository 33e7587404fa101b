import type { Matcher } from '../../match/Matcher.ts'
import { blockKind } from '../../tree/Block.ts'
import { foldBlocks } from '../../tree/foldBlocks.ts'
import { getKind } from '../core/findCall.ts'
import { tonTransfer } from '../core/tonTransfer.ts'
import { isCommand, returnsOf } from './nominatorPool.ts'

export type NominatorDepositData = { readonly holder: string; readonly pool: string; readonly amount: bigint }

/** A stake with a nominator pool. */
const nominatorDeposit = blockKind<NominatorDepositData>({
  name: 'nominator_pool_deposit',
  type: 'stake_deposit',
  isClosed: true,
  describe: ({ data: { holder, pool, amount } }) => ({
    source: holder,
    destination: pool,
    details: {
      provider: 'nominator',
      stake_holder: holder,
      pool,
      amount: String(amount),
      tokens_minted: null,
      asset: null,
    },
  }),
})

export const matchNominatorDeposit: Matcher = {
  name: 'nominator deposit',
  isAnchor: (block, context) => isCommand(block, 'd', context),
  around: {},
  build: ({ anchor }) => {
    const { source, destination, value } = getKind([anchor], tonTransfer).data
    const data = { holder: source, pool: destination, amount: value }
    foldBlocks(nominatorDeposit, data, [anchor, ...returnsOf(anchor)], { failed: anchor.failed })
  },
}
