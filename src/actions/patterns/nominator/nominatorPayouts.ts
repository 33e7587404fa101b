import type { Matcher } from '../../match/Matcher.ts'
import { foldBlocks } from '../../tree/foldBlocks.ts'
import { messageOf } from '../bodies/body.ts'
import { isCall } from '../core/isCall.ts'
import { tonTransfer } from '../core/tonTransfer.ts'
import { nominatorWithdrawal } from './nominatorWithdrawal.ts'

const PROCESS_REQUESTS = 0x00000002

/** The owner of a pool lets it pay those who asked: each payment is an action of its own. */
export const matchNominatorPayouts: Matcher = {
  name: 'nominator payouts by owner',
  isAnchor: (block, { facts }) =>
    isCall(block, PROCESS_REQUESTS) && facts.of(messageOf(block).destination).isNominatorPool === true,
  around: {},
  build: ({ anchor }) => {
    for (const payout of [...anchor.next]) {
      if (!payout.is(tonTransfer)) continue
      const { source: pool, destination: holder, value: amount } = payout.data
      foldBlocks(nominatorWithdrawal, { holder, pool, amount }, [payout])
    }
  },
}
