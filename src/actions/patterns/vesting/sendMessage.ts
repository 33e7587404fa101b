import { foldMatch, type Matcher } from '../../match/Matcher.ts'
import { call } from '../../match/Pattern.ts'
import { formatPlainBoc } from '../../rows/format.ts'
import { blockKind } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { readVestingSend, type VestingSendBody, vestingOps } from '../bodies/vesting.ts'
import { isCall } from '../core/isCall.ts'

export type VestingSendData = VestingSendBody & {
  readonly sender: string | undefined
  readonly vesting: string | undefined
}

/** The owner of a vesting wallet had it send a message. */
const vestingSendMessage = blockKind<VestingSendData>({
  name: 'vesting_send_message',
  describe: ({ data: { sender, vesting, queryId, message, destination, value } }) => ({
    source: sender,
    destination: vesting,
    destinationSecondary: destination,
    details: {
      query_id: String(queryId),
      message_boc: formatPlainBoc(message),
      source: sender ?? null,
      vesting: vesting ?? null,
      destination: destination ?? null,
      amount: String(value),
    },
  }),
})

export const matchVestingSend: Matcher = {
  name: 'vesting_send_message',
  isAnchor: (block) => isCall(block, vestingOps.send),
  around: { next: call(vestingOps.sendOk) },
  build: (match) => {
    const { source: sender, destination: vesting } = messageOf(match.anchor)
    foldMatch(match, vestingSendMessage, { ...readVestingSend(match.anchor), sender, vesting })
  },
}
