import { foldMatch, type Matcher } from '../../match/Matcher.ts'
import { call } from '../../match/Pattern.ts'
import { blockKind } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { readWhitelist, vestingOps, type WhitelistBody } from '../bodies/vesting.ts'
import { isCall } from '../core/isCall.ts'

export type VestingWhitelistData = WhitelistBody & {
  readonly source: string | undefined
  readonly vesting: string | undefined
}

/** A vesting wallet may send money to more accounts. */
const vestingAddWhitelist = blockKind<VestingWhitelistData>({
  name: 'vesting_add_whitelist',
  describe: ({ data: { source, vesting, queryId, addresses } }) => ({
    source,
    destination: vesting,
    details: {
      query_id: String(queryId),
      accounts_added: addresses.map((address) => address ?? null),
      source: source ?? null,
      vesting: vesting ?? null,
    },
  }),
})

export const matchVestingWhitelist: Matcher = {
  name: 'vesting_add_whitelist',
  isAnchor: (block) => isCall(block, vestingOps.addWhitelist),
  around: { next: call(vestingOps.addWhitelistOk) },
  build: (match) => {
    const { source, destination: vesting } = messageOf(match.anchor)
    foldMatch(match, vestingAddWhitelist, { ...readWhitelist(match.anchor), source, vesting })
  },
}
