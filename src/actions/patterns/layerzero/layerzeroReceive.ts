import { foldMatch, type Matcher } from '../../match/Matcher.ts'
import { MatchRefusedError } from '../../match/MatchRefusedError.ts'
import { call, kindOf } from '../../match/Pattern.ts'
import { blockKind } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { layerzeroOps, type Packet, readCarriedPacket } from '../bodies/layerzero.ts'
import { getCall } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'
import { tonTransfer } from '../core/tonTransfer.ts'
import { describePacket } from './describePacket.ts'

export type LayerzeroReceiveData = {
  readonly sender: string | undefined
  readonly oapp: string | undefined
  readonly channel: string | undefined
  readonly packet: Packet
}

/** A packet from another chain reached its application. */
const layerzeroReceive = blockKind<LayerzeroReceiveData>({
  name: 'layerzero_receive',
  describe: ({ data: { sender, oapp, channel, packet } }) => ({
    source: sender,
    destination: oapp,
    destinationSecondary: channel,
    details: {
      sender: sender ?? null,
      oapp: oapp ?? null,
      channel: channel ?? null,
      layerzero_packet_data: describePacket(packet),
    },
  }),
})

const event = call(layerzeroOps.event, { optional: true })
const change = kindOf(tonTransfer, { optional: true })

const executed = call(layerzeroOps.receiveExecute, {
  all: [event, call(layerzeroOps.receiveExecuted, { all: [event, change] })],
})

export const matchLayerzeroReceive: Matcher = {
  name: 'layerzero receive',
  isAnchor: (block) => isCall(block, layerzeroOps.channelPrepare),
  around: {
    all: [change, call(layerzeroOps.oappPrepare, { next: call(layerzeroOps.receiveLock, { next: executed }) })],
  },
  build: (match) => {
    const { anchor, others } = match
    const execute = getCall(others, layerzeroOps.receiveExecute)
    const { source: channel, destination: oapp } = messageOf(execute)
    const packet = readCarriedPacket(execute)
    if (oapp === undefined || BigInt(`0x${oapp.split(':')[1]}`) !== packet.dstOapp) {
      throw new MatchRefusedError('The packet is for another application.')
    }
    foldMatch(match, layerzeroReceive, { sender: messageOf(anchor).source, oapp, channel, packet })
  },
}
