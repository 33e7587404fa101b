import { foldMatch, type Matcher } from '../../match/Matcher.ts'
import { call, kindOf } from '../../match/Pattern.ts'
import { blockKind } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { layerzeroOps, type Packet, readCarriedPacket } from '../bodies/layerzero.ts'
import { getCall } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'
import { tonTransfer } from '../core/tonTransfer.ts'
import { describePacket } from './describePacket.ts'

export type LayerzeroCommitPacketData = {
  readonly sender: string | undefined
  readonly ulnConnection: string | undefined
  readonly endpoint: string | undefined
  readonly channel: string | undefined
  readonly msglibConnection: string | undefined
  readonly packet: Packet
}

/** A packet from another chain was verified, and may be received. */
const layerzeroCommitPacket = blockKind<LayerzeroCommitPacketData>({
  name: 'layerzero_commit_packet',
  describe: ({ data: { sender, ulnConnection, endpoint, channel, msglibConnection, packet } }) => ({
    source: sender,
    sourceSecondary: endpoint,
    destination: ulnConnection,
    destinationSecondary: ulnConnection,
    details: {
      sender: sender ?? null,
      endpoint: endpoint ?? null,
      uln: ulnConnection ?? null,
      uln_connection: ulnConnection ?? null,
      channel: channel ?? null,
      msglib_connection: msglibConnection ?? null,
      layerzero_packet_data: describePacket(packet),
    },
  }),
})

const committed = call(layerzeroOps.channelCommit, {
  all: [
    call(layerzeroOps.event, { optional: true }),
    call(layerzeroOps.msglibCommitted, { next: kindOf(tonTransfer, { optional: true }) }),
  ],
})

export const matchLayerzeroCommitPacket: Matcher = {
  name: 'layerzero commit packet',
  isAnchor: (block) => isCall(block, layerzeroOps.ulnCommit),
  around: {
    next: call(layerzeroOps.connectionCommit, { next: call(layerzeroOps.endpointCommit, { next: committed }) }),
  },
  build: (match) => {
    const targetOf = (opcode: number) => messageOf(getCall(match.others, opcode)).destination
    const data = {
      sender: messageOf(match.anchor).source,
      ulnConnection: targetOf(layerzeroOps.connectionCommit),
      endpoint: targetOf(layerzeroOps.endpointCommit),
      channel: targetOf(layerzeroOps.channelCommit),
      msglibConnection: targetOf(layerzeroOps.msglibCommitted),
      packet: readCarriedPacket(getCall(match.others, layerzeroOps.channelCommit)),
    }
    foldMatch(match, layerzeroCommitPacket, data)
  },
}
