import { foldMatch, type Matcher } from '../../match/Matcher.ts'
import { call } from '../../match/Pattern.ts'
import { blockKind } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { type Command, cocoonOps, readCoinsCommand } from '../bodies/cocoon.ts'
import { getCall } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'
import { excesses, isAborted } from './cocoonPatterns.ts'

export type CocoonClientTopUpData = Command & {
  readonly amount: bigint
  readonly client: string | undefined
  readonly proxy: string | undefined
}

/** Coins for what a client is going to compute. */
const cocoonClientTopUp = blockKind<CocoonClientTopUpData>({
  name: 'cocoon_client_top_up',
  describe: ({ data: { queryId, excessTo, amount, client, proxy } }) => ({
    source: excessTo,
    destination: client,
    destinationSecondary: proxy,
    details: {
      query_id: String(queryId),
      source: excessTo ?? null,
      destination: client ?? null,
      amount: String(amount),
    },
  }),
})

export const matchCocoonClientTopUp: Matcher = {
  name: 'cocoon client top up',
  isAnchor: (block) => isCall(block, cocoonOps.clientTopUp),
  around: { next: call(cocoonOps.clientRequest, { all: [excesses] }) },
  build: (match) => {
    const { anchor, others } = match
    const data = {
      ...readCoinsCommand(anchor),
      client: messageOf(anchor).destination,
      proxy: messageOf(getCall(others, cocoonOps.clientRequest)).destination,
    }
    foldMatch(match, cocoonClientTopUp, data, { failed: isAborted(anchor) })
  },
}
