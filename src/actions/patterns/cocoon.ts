import { type CellReader, openCell } from '../../codec/cell/CellReader.ts'
import { readMsgAddress } from '../../codec/tlb/MsgAddress.ts'
import { formatUpperRawAddress } from '../../primitives/Address.ts'
import { call, foldMatch, type Matcher } from '../match/Matcher.ts'
import { type Block, blockKind, MatchRefusedError } from '../tree/Block.ts'
import { messageOf, openBody, readAddress, tryRead } from './body.ts'
import { findCall, getCall, isCall } from './core.ts'

/** Opcodes of a market for computing: clients pay proxies, which pay workers; a root keeps the list of proxies. */
export const cocoonOps = {
  excesses: 0x2565934c,
  payout: 0xc59a7cd3,
  workerPayout: 0xa040ad28,
  lastWorkerPayout: 0xf5f26a36,
  workerRequest: 0x4d725d2c,
  proxyPayout: 0x7610e6eb,
  proxyCharge: 0xbb63ff93,
  clientRequest: 0x65448ff4,
  clientTopUp: 0xf172e6c2,
  registerProxy: 0x927c7cb5,
  unregisterProxy: 0x6d49eaf2,
  clientRegister: 0xc45f9f3b,
  changeSecretHash: 0xa9357034,
  requestRefund: 0xfafa6cc1,
  walletSend: 0x9c69f376,
  grantRefund: 0xefd711e1,
  increaseStake: 0x6a1f6a60,
  clientWithdraw: 0xda068e78,
} as const

const REFUND_GRANTED = 0xc68ebc7b

export const readQueryId = (block: Block): bigint => openBody(block).readUint64()

export type SignedBody = {
  readonly queryId: bigint
  readonly tokens: bigint
  readonly expectedAddress: string | undefined
}

/**
 * The signed request, read as if it were inline. The real layout has an address and the signature here and the request in a
 * reference, so tokens and address are misread bits: the reference service shows them so, and so do we.
 */
export const readSigned = (block: Block): SignedBody => {
  const r = openBody(block)
  return { queryId: r.readUint64(), tokens: r.readUint64(), expectedAddress: readAnyAddress(r) }
}

/** External addresses are shown as `<bits>;<hex>`. */
const readAnyAddress = (r: CellReader): string | undefined => {
  const again = r.clone()
  const address = readMsgAddress(r)
  switch (address.kind) {
    case 'none':
      return undefined
    case 'std':
      return formatUpperRawAddress(address)
    case 'extern':
      again.skipBits(2 + 9)
      return `${address.bits};${again.readUintWide(address.bits).toString(16)}`
    case 'var':
      throw new MatchRefusedError('Expected a standard address.')
  }
}

export const readWorkerRequest = (block: Block) => {
  const r = openBody(block)
  r.skipBits(64)
  return { owner: readAddress(r), state: r.readUint(2), tokens: r.readUint64() }
}

/** A command and the receiver of its excess. */
export type Command = { readonly queryId: bigint; readonly excessTo: string | undefined }

export const readCommand = (block: Block): Command => {
  const r = openBody(block)
  return { queryId: r.readUint64(), excessTo: readAddress(r) }
}

/** A command about an amount of coins. */
export const readCoinsCommand = (block: Block): Command & { readonly amount: bigint } => {
  const r = openBody(block)
  return { queryId: r.readUint64(), amount: r.readCoins(), excessTo: readAddress(r) }
}

const readClientRegister = (block: Block): Command & { readonly nonce: bigint } => {
  const r = openBody(block)
  return { queryId: r.readUint64(), nonce: r.readUint64(), excessTo: readAddress(r) }
}

const readSecretHash = (block: Block): Command & { readonly hash: bigint } => {
  const r = openBody(block)
  return { queryId: r.readUint64(), hash: r.readUintWide(256), excessTo: readAddress(r) }
}

export type UnregisterProxyBody = { readonly queryId: bigint; readonly seqno: number }

export const readUnregisterProxy = (block: Block): UnregisterProxyBody => {
  const r = openBody(block)
  return { queryId: r.readUint64(), seqno: r.readUint(32) }
}

/** The amount that a client withdraws, from its message to the proxy; `undefined` for other messages. */
const findRefundGranted = (block: Block): bigint | undefined => {
  const r = openBody(block)
  r.skipBits(64)
  readAddress(r)
  r.skipRef()
  const payload = r.readMaybeRefCell()
  if (payload === undefined) return undefined
  const inner = openCell(payload)
  return inner.readUint(32) === REFUND_GRANTED ? inner.readCoins() : undefined
}

export const excesses = call(cocoonOps.excesses)
export const optionalExcesses = call(cocoonOps.excesses, { optional: true })
export const payout = call(cocoonOps.payout)

/** The usual sequel of a command to a client: a message to its proxy, and the excess back. */
export const toldProxy = { all: [excesses, call(cocoonOps.clientRequest)] }

/** Whether the transaction failed, also for a call without value. */
export const isAborted = ({ node }: Block): boolean => node.transaction.aborted

export type CocoonChangeSecretHashData = Command & { readonly hash: bigint; readonly client: string | undefined }

/** A client changed its secret. */
const cocoonChangeSecretHash = blockKind<CocoonChangeSecretHashData>({
  name: 'cocoon_client_change_secret_hash',
  describe: ({ data: { queryId, hash, excessTo, client } }) => ({
    source: excessTo,
    destination: client,
    details: {
      query_id: String(queryId),
      new_secret_hash: hash.toString(16),
      source: excessTo ?? null,
      destination: client ?? null,
    },
  }),
})

export const matchCocoonChangeSecretHash: Matcher = {
  name: 'cocoon change secret hash',
  isAnchor: (block) => isCall(block, cocoonOps.changeSecretHash),
  around: toldProxy,
  build: (match) => {
    const data = { ...readSecretHash(match.anchor), client: messageOf(match.anchor).destination }
    foldMatch(match, cocoonChangeSecretHash, data, { failed: isAborted(match.anchor) })
  },
}

export type CocoonClientRegisterData = Command & { readonly nonce: bigint; readonly client: string | undefined }

/** A client registered with its proxy. */
const cocoonClientRegister = blockKind<CocoonClientRegisterData>({
  name: 'cocoon_client_register',
  describe: ({ data: { queryId, nonce, excessTo, client } }) => ({
    source: excessTo,
    destination: client,
    details: {
      query_id: String(queryId),
      nonce: String(nonce),
      source: excessTo ?? null,
      destination: client ?? null,
    },
  }),
})

export const matchCocoonClientRegister: Matcher = {
  name: 'cocoon client register',
  isAnchor: (block) => isCall(block, cocoonOps.clientRegister),
  around: toldProxy,
  build: (match) => {
    const data = { ...readClientRegister(match.anchor), client: messageOf(match.anchor).destination }
    foldMatch(match, cocoonClientRegister, data, { failed: isAborted(match.anchor) })
  },
}

export type CocoonClientTopUpData = Command & {
  readonly amount: bigint
  readonly client: string | undefined
  readonly proxy: string | undefined
}

/** Top-up of a client. */
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

export type CocoonClientWithdrawData = Command & {
  readonly amount: bigint
  readonly client: string | undefined
}

/** Withdrawal of a client. */
const cocoonClientWithdraw = blockKind<CocoonClientWithdrawData>({
  name: 'cocoon_client_withdraw',
  describe: ({ data: { queryId, excessTo, amount, client } }) => ({
    source: excessTo,
    destination: client,
    details: {
      query_id: String(queryId),
      withdraw_amount: String(amount),
      source: excessTo ?? null,
      destination: client ?? null,
      amount: String(amount),
    },
  }),
})

export const matchCocoonClientWithdraw: Matcher = {
  name: 'cocoon client withdraw',
  isAnchor: (block) => isCall(block, cocoonOps.clientWithdraw),
  around: { next: call(cocoonOps.clientRequest, { all: [optionalExcesses, payout] }) },
  build: (match) => {
    const { anchor, others } = match
    const data = {
      ...readCommand(anchor),
      amount: tryRead(() => findRefundGranted(getCall(others, cocoonOps.clientRequest))) ?? 0n,
      client: messageOf(anchor).destination,
    }
    foldMatch(match, cocoonClientWithdraw, data, { failed: isAborted(anchor) })
  },
}

export type CocoonGrantRefundData = SignedBody & {
  readonly called: string | undefined
  readonly told: string | undefined
  readonly recipient: string | undefined
  readonly amount: bigint
}

/** A client got a refund. */
const cocoonGrantRefund = blockKind<CocoonGrantRefundData>({
  name: 'cocoon_grant_refund',
  describe: ({ data: { queryId, tokens, expectedAddress, called, told, recipient, amount } }) => ({
    source: called,
    sourceSecondary: told,
    destination: recipient,
    details: {
      query_id: String(queryId),
      new_tokens_used: String(tokens),
      expected_address: expectedAddress ?? null,
      source: called ?? null,
      destination: recipient ?? null,
      amount: String(amount),
    },
  }),
})

export const matchCocoonGrantRefund: Matcher = {
  name: 'cocoon grant refund',
  isAnchor: (block) => isCall(block, cocoonOps.grantRefund),
  around: { next: call(cocoonOps.clientRequest, { all: [payout, excesses] }) },
  build: (match) => {
    const { anchor, others } = match
    const payment = getCall(others, cocoonOps.payout)
    const paid = messageOf(payment)
    const data = {
      ...readSigned(anchor),
      called: messageOf(anchor).destination,
      told: messageOf(getCall(others, cocoonOps.clientRequest)).destination,
      recipient: paid.destination,
      amount: paid.value ?? 0n,
    }
    foldMatch(match, cocoonGrantRefund, data, { failed: isAborted(payment) })
  },
}

export type CocoonRequestRefundData = Command & { readonly isViaWallet: boolean; readonly client: string | undefined }

/** Refund request of a client, direct or through a wallet of its owner. */
const cocoonRequestRefund = blockKind<CocoonRequestRefundData>({
  name: 'cocoon_client_request_refund',
  describe: ({ data: { queryId, isViaWallet, excessTo, client } }) => ({
    source: excessTo,
    destination: client,
    details: {
      query_id: String(queryId),
      via_wallet: isViaWallet,
      source: excessTo ?? null,
      destination: client ?? null,
    },
  }),
})

export const matchCocoonRequestRefund: Matcher = {
  name: 'cocoon request refund',
  isAnchor: (block) => isCall(block, cocoonOps.requestRefund),
  around: { ...toldProxy, previous: call(cocoonOps.walletSend, { optional: true }) },
  build: (match) => {
    const { anchor, others } = match
    const data = {
      ...readCommand(anchor),
      isViaWallet: findCall(others, cocoonOps.walletSend) !== undefined,
      client: messageOf(anchor).destination,
    }
    foldMatch(match, cocoonRequestRefund, data, { failed: isAborted(anchor) })
  },
}
