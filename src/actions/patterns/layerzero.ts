import type { Cell } from '../../codec/cell/Cell.ts'
import { type CellReader, openCell } from '../../codec/cell/CellReader.ts'
import { toHex } from '../../primitives/hex.ts'
import { call, foldMatch, kindOf, type Matcher } from '../match/Matcher.ts'
import { type Addresses, type Block, blockKind, MatchRefusedError } from '../tree/Block.ts'
import { messageOf, openBody, readAddress } from './body.ts'
import { getCall, getKind, isCall, tonTransfer } from './core.ts'
import { type JettonTransferData, jettonTransfer } from './jettons.ts'

/** Opcodes of the bridge contracts that actions use. */
const layerzeroOps = {
  endpointSend: 0xdd4ea3b4,
  channelSend: 0x536feb09,
  msglibSend: 0x4002b790,
  ulnSend: 0x5de68393,
  msglibSent: 0x421c1a25,
  channelSent: 0xa2b5fbae,
  event: 0xe33b9873,
  channelPrepare: 0x22f3ac09,
  oappPrepare: 0x97df404c,
  receiveLock: 0xb7680bc6,
  receiveExecute: 0x0c7b8418,
  receiveExecuted: 0xcaae25a1,
  ulnCommit: 0x28b97077,
  connectionCommit: 0xf9d37b80,
  endpointCommit: 0x5dab749a,
  channelCommit: 0x5388cd88,
  msglibCommitted: 0x5e178f33,
  dvnVerify: 0xa0d51a8d,
  proxyCall: 0x09f047d9,
  ulnVerify: 0x994aaf4e,
  connectionVerify: 0x4ec8f80a,
  verified: 0x3cb38090,
} as const

const NAME_BYTES = 10
const HEADER_BITS = 350

/** The object that every message of the bridge carries. */
const openMessageObject = (block: Block): CellReader => {
  const r = openBody(block)
  r.skipBits(64)
  r.readCoins()
  readAddress(r)
  return r.readRef()
}

/** Objects begin with a header that names them and says where their fields are; all of one kind have the same. */
const openObject = (cell: Cell, name: string): CellReader => {
  const r = openCell(cell)
  const found = new TextDecoder().decode(r.readBytes(NAME_BYTES)).replaceAll('\0', '')
  if (found !== name) throw new MatchRefusedError(`Expected an object ${name}, but got ${found}.`)
  r.skipBits(HEADER_BITS - 8 * NAME_BYTES)
  return r
}

type Packet = {
  readonly srcEid: number
  readonly srcOapp: bigint
  readonly dstEid: number
  readonly dstOapp: bigint
  readonly nonce: bigint
  readonly guid: bigint
  /** Hex. */
  readonly message: string
}

const readPacket = (cell: Cell): Packet => {
  const r = openObject(cell, 'Packet')
  const path = openObject(r.readRefCell(), 'path')
  const message = r.readRef()
  return {
    srcEid: path.readUint(32),
    srcOapp: path.readUintWide(256),
    dstEid: path.readUint(32),
    dstOapp: path.readUintWide(256),
    nonce: r.readUint64(),
    guid: r.readUintWide(256),
    message: toHex(message.readBits(message.remainingBits)),
  }
}

/** The packet of a message, if it has one. */
const readCarriedPacket = (block: Block): Packet => readPacket(openMessageObject(block).readRefCell())

type LzSend = {
  readonly requestId: bigint
  readonly manager: bigint
  readonly msglib: bigint
  readonly nativeFee: bigint
  readonly zroFee: bigint
  readonly packet: Packet
}

/** The sent packet, read from its receipt. */
const readChannelSent = (block: Block): LzSend => {
  const receipt = openMessageObject(block).readRef()
  const r = openObject(receipt.readRefCell(), 'lzSend')
  const packet = readPacket(r.readRefCell())
  r.skipRef()
  const quote = r.readRef()
  quote.skipBits(256)
  return {
    requestId: r.readUint64(),
    manager: r.readUintWide(256),
    msglib: r.readUintWide(256),
    nativeFee: quote.readUintWide(128),
    zroFee: quote.readUintWide(128),
    packet,
  }
}

const readVerified = (block: Block) => {
  const r = openObject(openMessageObject(block).readRefCell(), 'veristatus')
  return { nonce: r.readUint64(), status: r.readUint(32) }
}

/** A wide number as the bridge shows it: without leading zeros. */
const formatWide = (value: bigint): string => `0x${value.toString(16)}`

/** The packet, as all actions of the bridge show it. */
const describePacket = ({ srcOapp, dstOapp, srcEid, dstEid, nonce, guid, message }: Packet) => ({
  src_oapp: formatWide(srcOapp),
  dst_oapp: formatWide(dstOapp),
  src_eid: srcEid,
  dst_eid: dstEid,
  nonce: Number(nonce),
  guid: formatWide(guid),
  message: `0x${message}`,
})

export type LayerzeroCommitPacketData = Addresses<
  'sender' | 'ulnConnection' | 'endpoint' | 'channel' | 'msglibConnection'
> & {
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

export type LayerzeroDvnVerifyData = Addresses<'initiator' | 'dvn' | 'proxy' | 'uln' | 'ulnConnection'> & {
  readonly nonce: bigint
  readonly status: number
}

const statuses: ReadonlyMap<number, string> = new Map([
  [0x3bbc306b, 'succeeded'],
  [0x7fcbb4ac, 'nonce_out_of_range'],
  [0x29c53fab, 'dvn_not_configured'],
])

/** One of the verifiers confirmed a packet from another chain. */
const layerzeroDvnVerify = blockKind<LayerzeroDvnVerifyData>({
  name: 'layerzero_dvn_verify',
  describe: ({ data: { initiator, nonce, status, dvn, proxy, uln, ulnConnection } }) => ({
    source: initiator,
    details: {
      initiator: initiator ?? null,
      nonce: Number(nonce),
      status: statuses.get(status) ?? `unknown_${status}`,
      dvn: dvn ?? null,
      proxy: proxy ?? null,
      uln: uln ?? null,
      uln_connection: ulnConnection ?? null,
    },
  }),
})

const verified = call(layerzeroOps.connectionVerify, {
  all: [
    call(layerzeroOps.event, { optional: true }),
    call(layerzeroOps.verified, { next: kindOf(tonTransfer, { optional: true }) }),
  ],
})

export const matchLayerzeroDvnVerify: Matcher = {
  name: 'layerzero dvn verify',
  isAnchor: (block) => isCall(block, layerzeroOps.dvnVerify),
  around: { next: call(layerzeroOps.proxyCall, { next: call(layerzeroOps.ulnVerify, { next: verified }) }) },
  build: (match) => {
    const targetOf = (opcode: number) => messageOf(getCall(match.others, opcode)).destination
    const { source: initiator, destination: dvn } = messageOf(match.anchor)
    const data = {
      initiator,
      ...readVerified(getCall(match.others, layerzeroOps.verified)),
      dvn,
      proxy: targetOf(layerzeroOps.proxyCall),
      uln: targetOf(layerzeroOps.ulnVerify),
      ulnConnection: targetOf(layerzeroOps.connectionVerify),
    }
    foldMatch(match, layerzeroDvnVerify, data)
  },
}

type LayerzeroSendData = LzSend & {
  readonly initiator: string | undefined
  readonly endpoint: string | undefined
  readonly channel: string | undefined
  readonly uln: string | undefined
}

/** The details of an outgoing packet, with tokens or without. */
const describeSend = (data: LayerzeroSendData) => ({
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
const layerzeroSend = blockKind<LayerzeroSendData>({
  name: 'layerzero_send',
  describe: ({ data }) => ({
    source: data.initiator,
    details: { initiator: data.initiator ?? null, ...describeSend(data) },
  }),
})

const event = call(layerzeroOps.event)
const optionalEvent = call(layerzeroOps.event, { optional: true })
/** Workers are paid and the excess returns. */
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

export type LayerzeroReceiveData = Addresses<'sender' | 'oapp' | 'channel'> & { readonly packet: Packet }

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

const change = kindOf(tonTransfer, { optional: true })

const executed = call(layerzeroOps.receiveExecute, {
  all: [optionalEvent, call(layerzeroOps.receiveExecuted, { all: [optionalEvent, change] })],
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

export type LayerzeroSendTokensData = {
  readonly transfer: JettonTransferData
  readonly send: LayerzeroSendData
}

/** Jettons to another chain: they went to the application that sends the packet. */
const layerzeroSendTokens = blockKind<LayerzeroSendTokensData>({
  name: 'layerzero_send_tokens',
  describe: ({ data: { transfer, send } }) => {
    const { sender, senderWallet, receiver, receiverWallet, asset, amount } = transfer
    return {
      source: sender,
      sourceSecondary: senderWallet,
      destination: receiver,
      destinationSecondary: receiverWallet,
      details: {
        sender: sender ?? null,
        sender_wallet: senderWallet ?? null,
        oapp: receiver ?? null,
        oapp_wallet: receiverWallet ?? null,
        asset: asset ?? null,
        amount: String(amount),
        ...describeSend(send),
      },
    }
  },
})

export const matchLayerzeroSendTokens: Matcher = {
  name: 'layerzero send tokens',
  isAnchor: (block) => block.is(layerzeroSend),
  around: { previous: kindOf(jettonTransfer, { next: call(layerzeroOps.event) }) },
  build: (match) => {
    const send = getKind([match.anchor], layerzeroSend).data
    const transfer = getKind(match.others, jettonTransfer).data
    foldMatch(match, layerzeroSendTokens, { transfer, send })
  },
}
