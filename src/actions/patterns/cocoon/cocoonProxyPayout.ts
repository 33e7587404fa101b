import { foldMatch, type Matcher } from '../../match/Matcher.ts'
import { blockKind } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { type Command, cocoonOps, readCommand } from '../bodies/cocoon.ts'
import { getCall } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'
import { excesses, isAborted, payout } from './cocoonPatterns.ts'

export type CocoonProxyPayoutData = Command & { readonly proxy: string | undefined; readonly owner: string | undefined }

/** The owner of a proxy took out what it earned. */
const cocoonProxyPayout = blockKind<CocoonProxyPayoutData>({
  name: 'cocoon_proxy_payout',
  describe: ({ data: { queryId, proxy, owner, excessTo } }) => ({
    source: proxy,
    destination: owner,
    destinationSecondary: excessTo,
    details: { query_id: String(queryId), source: proxy ?? null, destination: owner ?? null },
  }),
})

export const matchCocoonProxyPayout: Matcher = {
  name: 'cocoon proxy payout',
  isAnchor: (block) => isCall(block, cocoonOps.proxyPayout),
  around: { all: [payout, excesses] },
  build: (match) => {
    const paid = getCall(match.others, cocoonOps.payout)
    const data = {
      ...readCommand(match.anchor),
      proxy: messageOf(match.anchor).destination,
      owner: messageOf(paid).destination,
    }
    foldMatch(match, cocoonProxyPayout, data, { failed: isAborted(paid) })
  },
}
