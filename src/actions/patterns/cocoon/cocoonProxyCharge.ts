import { foldMatch, type Matcher } from '../../match/Matcher.ts'
import { blockKind } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { cocoonOps, readSigned, type SignedBody } from '../bodies/cocoon.ts'
import { getCall } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'
import { isAborted, toldProxy } from './cocoonPatterns.ts'

export type CocoonProxyChargeData = SignedBody & {
  readonly charged: string | undefined
  readonly told: string | undefined
}

/** A client is charged for what was computed. */
const cocoonProxyCharge = blockKind<CocoonProxyChargeData>({
  name: 'cocoon_proxy_charge',
  describe: ({ data: { queryId, tokens, expectedAddress, charged, told } }) => ({
    source: charged,
    destination: told,
    details: {
      query_id: String(queryId),
      new_tokens_used: String(tokens),
      expected_address: expectedAddress ?? null,
      source: charged ?? null,
      destination: told ?? null,
    },
  }),
})

export const matchCocoonProxyCharge: Matcher = {
  name: 'cocoon proxy charge',
  isAnchor: (block) => isCall(block, cocoonOps.proxyCharge),
  around: toldProxy,
  build: (match) => {
    const { anchor, others } = match
    const data = {
      ...readSigned(anchor),
      charged: messageOf(anchor).destination,
      told: messageOf(getCall(others, cocoonOps.clientRequest)).destination,
    }
    foldMatch(match, cocoonProxyCharge, data, { failed: isAborted(anchor) })
  },
}
