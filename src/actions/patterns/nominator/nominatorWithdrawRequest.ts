import type { Matcher } from '../../match/Matcher.ts'
import type { Block } from '../../tree/Block.ts'
import { foldBlocks } from '../../tree/foldBlocks.ts'
import { getKind } from '../core/findCall.ts'
import { type TonTransferData, tonTransfer } from '../core/tonTransfer.ts'
import { isCommand, returnsOf } from './nominatorPool.ts'
import { nominatorWithdrawal, nominatorWithdrawRequest } from './nominatorWithdrawal.ts'

/** A holder asks for the stake; what the pool sends back tells whether it was paid at once. */
export const matchNominatorWithdrawRequest: Matcher = {
  name: 'nominator withdraw request',
  isAnchor: (block, context) => isCommand(block, 'w', context),
  around: {},
  build: ({ anchor }) => {
    const { source: holder, destination: pool, value: sent } = getKind([anchor], tonTransfer).data
    const transfers = anchor.next.filter((next): next is Block<TonTransferData> => next.is(tonTransfer))
    const isTold = transfers.length === 1 || transfers.length === 2
    const parts = [anchor, ...returnsOf(anchor), ...(isTold ? transfers : [])]
    const amount = isTold ? findPayout(transfers, sent) : undefined
    const { failed } = anchor
    if (amount === undefined) foldBlocks(nominatorWithdrawRequest, { holder, pool }, parts, { failed })
    else foldBlocks(nominatorWithdrawal, { holder, pool, amount }, parts, { failed })
  },
}

/** A single transfer may be no more than change; of two the first is the stake. */
const findPayout = (transfers: readonly Block<TonTransferData>[], sent: bigint): bigint | undefined => {
  const [first, second] = [...transfers].sort((a, b) => (a.startLt < b.startLt ? -1 : 1))
  if (first === undefined || (second === undefined && first.data.value <= sent)) return undefined
  return first.data.value
}
