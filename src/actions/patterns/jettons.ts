import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { call, foldMatch, type Match, type MatchContext, type Matcher, oneOf } from '../match/Matcher.ts'
import { formatBoc, orNull } from '../rows/Action.ts'
import { opcodeOf } from '../trace/TraceInput.ts'
import { type Addresses, type Block, blockKind, expectPresent, foldBlocks } from '../tree/Block.ts'
import { readCommentBytes } from '../tree/buildTree.ts'
import { messageOf, openBody, readAddress, readEitherPayload, tryRead } from './body.ts'
import { findCall, getCall, isCall } from './core.ts'

const TEXT = 0
const ENCRYPTED = 0x2167da4b

/** The forward payload of a token transfer. */
export type Payload = {
  readonly cell: Cell
  /** Its first 32 bits; `undefined` if it is shorter. */
  readonly tag: number | undefined
  /** Bytes of an encrypted one, base64. */
  readonly comment: string | undefined
  readonly isEncrypted: boolean
}

export const toPayload = (cell: Cell): Payload => {
  const tag = opcodeOf(cell)
  if (tag !== TEXT && tag !== ENCRYPTED) return { cell, tag, comment: undefined, isEncrypted: false }
  const r = openCell(cell)
  r.skipBits(32)
  const comment = readCommentBytes(r, tag === ENCRYPTED)
  return { cell, tag, comment, isEncrypted: tag === ENCRYPTED && comment !== undefined }
}

/** Opcodes of jettons (TEP-74) and of minters. */
export const jettonOps = {
  transfer: 0x0f8a7ea5,
  internalTransfer: 0x178d4519,
  notify: 0x7362d09c,
  burn: 0x595f07bc,
  burnNotification: 0x7bdd97de,
  mint: 0x642b7d07,
  minterMint: 0x00000015,
  ptonTransfer: 0x01f3835d,
} as const

type JettonTransferBody = Addresses<'destination' | 'response'> & {
  readonly queryId: bigint
  readonly amount: bigint
  readonly customPayload: Cell | undefined
  readonly forwardAmount: bigint
  /** `undefined` if it has no bits. */
  readonly forward: Payload | undefined
}

const readJettonTransfer = (block: Block): JettonTransferBody => {
  const r = openBody(block)
  const body = {
    queryId: r.readUint64(),
    amount: r.readCoins(),
    destination: readAddress(r),
    response: readAddress(r),
    customPayload: r.readMaybeRefCell(),
    forwardAmount: r.readCoins(),
  }
  const payload = readEitherPayload(r)
  return { ...body, forward: payload === undefined || payload.bits === 0 ? undefined : toPayload(payload) }
}

export const readInternalTransfer = (block: Block) => {
  const r = openBody(block)
  return {
    queryId: r.readUint64(),
    amount: r.readCoins(),
    from: readAddress(r),
    response: readAddress(r),
    forwardAmount: r.readCoins(),
  }
}

export const readJettonNotify = (block: Block) => {
  const r = openBody(block)
  const body = { queryId: r.readUint64(), amount: r.readCoins(), from: readAddress(r) }
  const payload = readEitherPayload(r)
  return { ...body, forward: payload === undefined ? undefined : toPayload(payload) }
}

export const readJettonBurn = (block: Block) => {
  const r = openBody(block)
  return { queryId: r.readUint64(), amount: r.readCoins(), response: readAddress(r) }
}

export type JettonMintBody = {
  readonly queryId: bigint
  readonly to: string | undefined
  readonly tonAmount: bigint
}

const readJettonMint = (block: Block): JettonMintBody => {
  const r = openBody(block)
  return { queryId: r.readUint64(), to: readAddress(r), tonAmount: r.readCoins() }
}

/** As {@link readJettonMint}, with the amount from the message that the minter forwards. */
const readMinterMint = (block: Block): JettonMintBody & { readonly amount: bigint } => {
  const r = openBody(block)
  const body = { queryId: r.readUint64(), to: readAddress(r), tonAmount: r.readCoins() }
  const inner = r.readRef()
  inner.skipBits(32 + 64)
  return { ...body, amount: inner.readCoins() }
}

export const readPtonTransfer = (block: Block) => {
  const r = openBody(block)
  const body = { queryId: r.readUint64(), tonAmount: r.readCoins(), refundTo: readAddress(r) }
  const payload = readEitherPayload(r)
  return { ...body, forward: payload === undefined ? undefined : toPayload(payload) }
}

export type JettonBurnData = {
  readonly owner: string
  readonly ownerWallet: string | undefined
  readonly asset: string
  readonly amount: bigint
  readonly queryId: bigint
}

/** Burn of jettons. */
export const jettonBurn = blockKind<JettonBurnData>({
  name: 'jetton_burn',
  isClosed: true,
  describe: ({ data: { owner, ownerWallet, asset, amount } }) => ({
    source: owner,
    sourceSecondary: ownerWallet,
    details: { owner, owner_jetton_wallet: ownerWallet ?? null, asset, amount: String(amount) },
  }),
})

export const matchJettonBurn: Matcher = {
  name: 'jetton_burn',
  isAnchor: (block) => isCall(block, jettonOps.burn),
  around: { next: call(jettonOps.burnNotification, { optional: true }) },
  build: (match, { facts }) => {
    const { anchor } = match
    const { amount, queryId } = readJettonBurn(anchor)
    const ownerWallet = messageOf(anchor).destination
    const wallet = expectPresent(facts.of(ownerWallet).jettonWallet, 'jetton wallet')
    const data = { owner: wallet.owner, ownerWallet, asset: wallet.jetton, amount, queryId }
    foldMatch(match, jettonBurn, data, { failed: anchor.failed })
  },
}

export type JettonMintData = Addresses<'asset' | 'receiver' | 'receiverWallet'> & {
  /** `undefined` if nothing was minted and the request does not say. */
  readonly amount: bigint | undefined
  readonly tonAmount: bigint
}

/** Mint of jettons. */
export const jettonMint = blockKind<JettonMintData>({
  name: 'jetton_mint',
  isClosed: true,
  describe: ({ data: { asset, receiver, receiverWallet, amount, tonAmount } }) => ({
    destination: receiver,
    destinationSecondary: receiverWallet,
    details: {
      asset: asset ?? null,
      receiver: receiver ?? null,
      receiver_jetton_wallet: receiverWallet ?? null,
      amount: orNull(amount),
      ton_amount: String(tonAmount),
    },
  }),
})

const received = call(jettonOps.internalTransfer, { next: call(jettonOps.notify, { optional: true }) })

export const matchJettonMint: Matcher = {
  name: 'jetton_mint',
  isAnchor: (block) => isCall(block, jettonOps.mint, jettonOps.minterMint),
  around: { next: oneOf([call(jettonOps.notify), received], { optional: true }) },
  build: (match, context) => {
    const { anchor, others } = match
    const transfer = findCall(others, jettonOps.internalTransfer)
    if (transfer === undefined || anchor.failed) foldMatch(match, jettonMint, readFailed(anchor), { failed: true })
    else foldMatch(match, jettonMint, readMinted(match, transfer, context), { failed: transfer.failed })
  },
}

const readMinted = ({ anchor }: Match, received: Block, { facts }: MatchContext): JettonMintData => {
  const { tonAmount } = readJettonMint(anchor)
  const receiverWallet = messageOf(received).destination
  const wallet = expectPresent(facts.of(receiverWallet).jettonWallet, 'jetton wallet of the receiver')
  const { amount } = readInternalTransfer(received)
  return { asset: wallet.jetton, receiver: wallet.owner, receiverWallet, amount, tonAmount }
}

const readFailed = (anchor: Block): JettonMintData => {
  const isMinter = isCall(anchor, jettonOps.minterMint)
  const { to, tonAmount, amount } = isMinter ? readMinterMint(anchor) : { ...readJettonMint(anchor), amount: undefined }
  return { asset: messageOf(anchor).destination, receiver: to, receiverWallet: undefined, amount, tonAmount }
}

/** Masters of wrapped native coins (pTON): two of one exchange and one of another. */
export const ptonMasters: ReadonlySet<string> = new Set([
  '0:8CDC1D7640AD5EE326527FC1AD0514F468B30DC84B0173F0E155F451B4E11F7C',
  '0:671963027F7F85659AB55B821671688601CDCF1EE674FC7FBBB1A776A18D34A3',
  '0:949C4C66760C002800E2FA3D8A3CA4E1C90A9373B53AE7472033483BF14CD95E',
])

export type JettonTransferData = Omit<JettonTransferBody, 'destination'> & {
  /** The master; `undefined` if it was never sent and the wallet is unknown. */
  readonly asset: string | undefined
  readonly sender: string | undefined
  readonly receiver: string | undefined
  /** Both are `undefined` for wrapped native coins. */
  readonly senderWallet: string | undefined
  readonly receiverWallet: string | undefined
}

/** Transfer of jettons. */
export const jettonTransfer = blockKind<JettonTransferData>({
  name: 'jetton_transfer',
  isClosed: true,
  describe: ({ data }) => ({
    source: data.sender,
    sourceSecondary: data.senderWallet,
    destination: data.receiver,
    destinationSecondary: data.receiverWallet,
    details: {
      asset: data.asset ?? null,
      sender: data.sender ?? null,
      receiver: data.receiver ?? null,
      sender_jetton_wallet: data.senderWallet ?? null,
      receiver_jetton_wallet: data.receiverWallet ?? null,
      amount: String(data.amount),
      comment: data.forward?.comment ?? null,
      is_encrypted_comment: data.forward?.isEncrypted ?? false,
      query_id: String(data.queryId),
      response_destination: data.response ?? null,
      custom_payload: formatBoc(data.customPayload),
      forward_payload: formatBoc(data.forward?.cell),
      forward_amount: String(data.forwardAmount),
    },
  }),
})

const notified = call(jettonOps.notify, { optional: true })

export const matchJettonTransfer: Matcher = {
  name: 'jetton_transfer',
  isAnchor: (block) => isCall(block, jettonOps.transfer),
  around: { next: call(jettonOps.internalTransfer, { next: notified }) },
  build: (match, { facts }) => {
    const { anchor, others } = match
    const received = getCall(others, jettonOps.internalTransfer)
    const { destination: _asked, ...asked } = readJettonTransfer(anchor)
    // Some wallets use their own messages between them: then the request counts.
    const { amount, forwardAmount } = tryRead(() => readInternalTransfer(received)) ?? asked
    const { source, destination: senderWallet } = messageOf(anchor)
    const receiverWallet = messageOf(received).destination
    const wallet = expectPresent(facts.of(receiverWallet).jettonWallet, 'jetton wallet of the receiver')
    const data = {
      ...asked,
      amount,
      forwardAmount,
      asset: wallet.jetton,
      sender: source,
      receiver: wallet.owner,
      senderWallet,
      receiverWallet,
    }
    foldMatch(match, jettonTransfer, data, { failed: anchor.failed || received.failed })
  },
}

/** Transfer of wrapped native coins: its wallets forward coins instead of tokens. */
export const matchPtonTransfer: Matcher = {
  name: 'pton_transfer',
  isAnchor: (block, { facts }) => {
    if (!isCall(block, jettonOps.transfer)) return false
    const wallet = facts.of(messageOf(block).destination).jettonWallet
    return wallet !== undefined && ptonMasters.has(wallet.jetton)
  },
  around: { next: notified },
  build: (match, { facts }) => {
    const { anchor } = match
    const { source, destination } = messageOf(anchor)
    const wallet = expectPresent(facts.of(destination).jettonWallet, 'jetton wallet')
    const { destination: receiver, ...asked } = readJettonTransfer(anchor)
    const data = {
      ...asked,
      asset: wallet.jetton,
      sender: source,
      receiver,
      senderWallet: undefined,
      receiverWallet: undefined,
    }
    foldMatch(match, jettonTransfer, data, { failed: anchor.failed })
  },
}

/** A requested transfer that the wallet never sent. */
export const matchGhostTransfer: Matcher = {
  name: 'jetton_transfer of a request',
  isAnchor: (block) => isCall(block, jettonOps.transfer) && block.node.isGhost,
  around: {},
  build: ({ anchor }, { facts }) => {
    const { source, destination: senderWallet } = messageOf(anchor)
    const { destination: receiver, ...asked } = readJettonTransfer(anchor)
    const asset = facts.of(senderWallet).jettonWallet?.jetton
    const data = { ...asked, asset, sender: source, receiver, senderWallet, receiverWallet: undefined }
    foldBlocks(jettonTransfer, data, [anchor], { failed: true })
  },
}
