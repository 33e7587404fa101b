import { foldMatch, type Matcher } from '../../match/Matcher.ts'
import { call, kindOf } from '../../match/Pattern.ts'
import type { Shown } from '../../rows/ActionFacts.ts'
import { blockKind } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { type LzSend, layerzeroOps, readChannelSent } from '../bodies/layerzero.ts'
import { getCall } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'
import { tonTransfer } from '../core/tonTransfer.ts'
import { describePacket, formatWide } from './describePacket.ts'

export type LayerzeroSendData = LzSend & {
  readonly initiator: string | undefined
  readonly endpoint: string | undefined
  readonly channel: string | undefined
  readonly uln: string | undefined
}

/** What is shown of a packet that left, with tokens or without. */
export const describeSend = (data: LayerzeroSendData): { readonly [name: string]: Shown } => ({
  layerzero_send_data: {
    send_request_id: Number(data.requestId),
    msglib_manager: formatWide(data.manager),
    msglib: formatWide(data.msglib),
    uln: data.uln ?? null,
    native_fee: Number(data.nativeFee),
    zro_fee: Number(data.zroFee),
    endpoint: data.endpoint ?? null,
    channel: data.channel ?? null,
  },
  layerzero_packet_data: describePacket(data.packet),
})

/** A packet to another chain. */
export const layerzeroSend = blockKind<LayerzeroSendData>({
  name: 'layerzero_send',
  describe: ({ data }) => ({
    source: data.initiator,
    details: { initiator: data.initiator ?? null, ...describeSend(data) },
  }),
})

const event = call(layerzeroOps.event)
const optionalEvent = call(layerzeroOps.event, { optional: true })
/** Workers are paid, and what is left goes back. */
const payment = kindOf(tonTransfer, { optional: true })

const sent = call(layerzeroOps.msglibSent, {
  all: [
    event,
    payment,
    payment,
    payment,
    payment,
    payment,
    call(layerzeroOps.channelSent, { all: [optionalEvent, payment] }),
  ],
})

export const matchLayerzeroSend: Matcher = {
  name: 'layerzero send',
  isAnchor: (block) => isCall(block, layerzeroOps.endpointSend),
  around: {
    next: call(layerzeroOps.channelSend, {
      next: call(layerzeroOps.msglibSend, { next: call(layerzeroOps.ulnSend, { next: sent }) }),
    }),
  },
  build: (match) => {
    const { anchor, others } = match
    const { source: initiator, destination: endpoint } = messageOf(anchor)
    const data = {
      ...readChannelSent(getCall(others, layerzeroOps.channelSent)),
      initiator,
      endpoint,
      channel: messageOf(getCall(others, layerzeroOps.channelSend)).destination,
      uln: messageOf(getCall(others, layerzeroOps.ulnSend)).destination,
    }
    foldMatch(match, layerzeroSend, data)
  },
}
