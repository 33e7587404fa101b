import { foldMatch, type Matcher } from '../../match/Matcher.ts'
import { call } from '../../match/Pattern.ts'
import { blockKind } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { type Command, cocoonOps, readCommand } from '../bodies/cocoon.ts'
import { findCall } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'
import { isAborted, toldProxy } from './cocoonPatterns.ts'

export type CocoonRequestRefundData = Command & { readonly isViaWallet: boolean; readonly client: string | undefined }

/** A client wants back what was not used, by itself or through a wallet of its owner. */
const cocoonRequestRefund = blockKind<CocoonRequestRefundData>({
  name: 'cocoon_client_request_refund',
  describe: ({ data: { queryId, isViaWallet, excessTo, client } }) => ({
    source: excessTo,
    destination: client,
    details: {
      query_id: String(queryId),
      via_wallet: isViaWallet,
      source: excessTo ?? null,
      destination: client ?? null,
    },
  }),
})

export const matchCocoonRequestRefund: Matcher = {
  name: 'cocoon request refund',
  isAnchor: (block) => isCall(block, cocoonOps.requestRefund),
  around: { ...toldProxy, previous: call(cocoonOps.walletSend, { optional: true }) },
  build: (match) => {
    const { anchor, others } = match
    const data = {
      ...readCommand(anchor),
      isViaWallet: findCall(others, cocoonOps.walletSend) !== undefined,
      client: messageOf(anchor).destination,
    }
    foldMatch(match, cocoonRequestRefund, data, { failed: isAborted(anchor) })
  },
}
