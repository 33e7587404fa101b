import { foldMatch, type Matcher } from '../../match/Matcher.ts'
import { blockKind } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { type Command, cocoonOps, readCoinsCommand } from '../bodies/cocoon.ts'
import { isCall } from '../core/isCall.ts'
import { isAborted, toldProxy } from './cocoonPatterns.ts'

export type CocoonIncreaseStakeData = Command & { readonly amount: bigint; readonly client: string | undefined }

/** A client vouches with more. */
const cocoonIncreaseStake = blockKind<CocoonIncreaseStakeData>({
  name: 'cocoon_client_increase_stake',
  describe: ({ data: { queryId, excessTo, amount, client } }) => ({
    source: excessTo,
    destination: client,
    details: {
      query_id: String(queryId),
      new_stake: String(amount),
      source: excessTo ?? null,
      destination: client ?? null,
      amount: String(amount),
    },
  }),
})

export const matchCocoonIncreaseStake: Matcher = {
  name: 'cocoon increase stake',
  isAnchor: (block) => isCall(block, cocoonOps.increaseStake),
  around: toldProxy,
  build: (match) => {
    const data = { ...readCoinsCommand(match.anchor), client: messageOf(match.anchor).destination }
    foldMatch(match, cocoonIncreaseStake, data, { failed: isAborted(match.anchor) })
  },
}
