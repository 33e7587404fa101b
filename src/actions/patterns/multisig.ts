import type { Cell } from '../../codec/cell/Cell.ts'
import { toBase64 } from '../../primitives/base64.ts'
import { call, type Matcher, oneOf } from '../match/Matcher.ts'
import { formatPlainBoc } from '../rows/Action.ts'
import { type Addresses, type Block, blockKind, expectPresent, foldBlocks } from '../tree/Block.ts'
import { messageOf, openBody } from './body.ts'
import { findCall, getCall, isCall, tonTransfer } from './core.ts'

/** Opcodes of multisig wallets (v2) and of their orders. */
const multisigOps = {
  newOrder: 0xf718510f,
  initOrder: 0x9c73fba2,
  approve: 0xa762230f,
  accepted: 0x82609bf6,
  rejected: 0xafaf283e,
  execute: 0x75097f5d,
} as const

type NewOrderBody = {
  readonly queryId: bigint
  readonly orderSeqno: bigint
  readonly isSigner: boolean
  readonly creatorIndex: number
  readonly expiresAt: number
}

const readNewOrder = (block: Block): NewOrderBody => {
  const r = openBody(block)
  return {
    queryId: r.readUint64(),
    orderSeqno: r.readUintWide(256),
    isSigner: r.readBit(),
    creatorIndex: r.readUint(8),
    expiresAt: Number(r.readUintWide(48)),
  }
}

const readInitOrder = (block: Block): { readonly order: Cell; readonly isApproved: boolean } => {
  const r = openBody(block)
  r.skipBits(64 + 8)
  // The signers are a reference; some write them as a dictionary, with a bit before it. The rest has 49 or 57 bits.
  if (r.remainingBits % 8 === 1) r.readRefCell()
  else r.readMaybeRefCell()
  r.skipBits(48)
  return { order: r.readRefCell(), isApproved: r.readBit() }
}

/** `undefined` if the body is too short. */
const findApproverIndex = (block: Block): number | undefined => {
  const r = openBody(block)
  if (r.remainingBits < 64 + 8) return undefined
  r.skipBits(64)
  return r.readUint(8)
}

const readRejection = (block: Block): number => {
  const r = openBody(block)
  r.skipBits(64)
  return r.readUint(32)
}

type ExecuteBody = {
  readonly queryId: bigint
  readonly orderSeqno: bigint
  readonly expiresAt: number
  readonly approvals: number
  /** base64 */
  readonly signersHash: string
  readonly order: Cell
}

const readExecute = (block: Block): ExecuteBody => {
  const r = openBody(block)
  return {
    queryId: r.readUint64(),
    orderSeqno: r.readUintWide(256),
    expiresAt: Number(r.readUintWide(48)),
    approvals: r.readUint(8),
    signersHash: toBase64(r.readBytes(32)),
    order: r.readRefCell(),
  }
}

export type ApproveOrderData = Addresses<'signer' | 'order'> & {
  /** -1 if the message does not say. */
  readonly signerIndex: number
  /** 0 if it was accepted. */
  readonly exitCode: number
  readonly signers: readonly string[]
}

const BY_COMMENT = -1

/** A signer approved an order. */
const multisigApprove = blockKind<ApproveOrderData>({
  name: 'multisig_approve',
  describe: ({ data: { signer, order, signerIndex, exitCode, signers } }) => ({
    source: signer,
    destination: order,
    moreAccounts: signers,
    details: {
      signer_index: signerIndex,
      exit_code: exitCode,
      source: signer ?? null,
      destination: order ?? null,
    },
  }),
})

const isCommented = (block: Block): boolean => block.is(tonTransfer) && block.data.comment === 'approve'

export const matchMultisigApprove: Matcher = {
  name: 'multisig_approve',
  isAnchor: (block) => isCall(block, multisigOps.approve) || isCommented(block),
  around: { next: oneOf([call(multisigOps.accepted), call(multisigOps.rejected)]) },
  build: ({ anchor, others }, { facts }) => {
    const { source: signer, destination: order } = messageOf(anchor)
    const { signers } = expectPresent(facts.of(order).multisigOrder, 'order of a multisig wallet')
    const accepted = findCall(others, multisigOps.accepted)
    const answer = accepted ?? getCall(others, multisigOps.rejected)
    const exitCode = accepted === undefined ? readRejection(answer) : 0
    const signerIndex = isCommented(anchor) ? BY_COMMENT : (findApproverIndex(anchor) ?? BY_COMMENT)
    const data = { signer, order, signerIndex, exitCode, signers }
    foldBlocks(multisigApprove, data, [anchor, answer], { failed: accepted === undefined })
  },
}

export type CreateOrderData = NewOrderBody & {
  readonly creator: string | undefined
  readonly multisig: string | undefined
  readonly orderAddress: string | undefined
  readonly order: Cell
  /** The creator signed it at once. */
  readonly isApproved: boolean
  readonly signers: readonly string[]
}

/** A signer or proposer created an order. */
const multisigCreateOrder = blockKind<CreateOrderData>({
  name: 'multisig_create_order',
  describe: ({ data }) => ({
    source: data.creator,
    destination: data.multisig,
    destinationSecondary: data.orderAddress,
    moreAccounts: data.signers,
    details: {
      query_id: String(data.queryId),
      order_seqno: String(data.orderSeqno),
      is_created_by_signer: data.isSigner,
      is_signed_by_creator: data.isApproved,
      creator_index: data.creatorIndex,
      expiration_date: data.expiresAt,
      order_boc: formatPlainBoc(data.order),
      source: data.creator ?? null,
      destination: data.multisig ?? null,
      destination_order: data.orderAddress ?? null,
    },
  }),
})

export const matchMultisigCreateOrder: Matcher = {
  name: 'multisig_create_order',
  isAnchor: (block) => isCall(block, multisigOps.newOrder),
  around: { next: call(multisigOps.initOrder) },
  build: ({ anchor, others }, { facts }) => {
    const made = getCall(others, multisigOps.initOrder)
    const { source: creator, destination: multisig } = messageOf(anchor)
    const { destination: orderAddress } = messageOf(made)
    const { signers } = expectPresent(facts.of(orderAddress).multisigOrder, 'order of a multisig wallet')
    const data = { ...readNewOrder(anchor), ...readInitOrder(made), creator, multisig, orderAddress, signers }
    foldBlocks(multisigCreateOrder, data, [anchor, made])
  },
}

export type ExecuteOrderData = ExecuteBody & {
  readonly orderAddress: string | undefined
  readonly multisig: string | undefined
  readonly signers: readonly string[]
}

/** A multisig wallet executes an order. */
const multisigExecute = blockKind<ExecuteOrderData>({
  name: 'multisig_execute',
  describe: ({ data }) => ({
    source: data.orderAddress,
    destination: data.multisig,
    moreAccounts: data.signers,
    details: {
      query_id: String(data.queryId),
      order_seqno: String(data.orderSeqno),
      expiration_date: data.expiresAt,
      approvals_num: data.approvals,
      signers_hash: data.signersHash,
      order_boc: formatPlainBoc(data.order),
      source: data.orderAddress ?? null,
      destination: data.multisig ?? null,
    },
  }),
})

export const matchMultisigExecute: Matcher = {
  name: 'multisig_execute',
  isAnchor: (block) => isCall(block, multisigOps.execute),
  around: {},
  build: ({ anchor }, { facts }) => {
    const { source: orderAddress, destination: multisig } = messageOf(anchor)
    const { signers } = expectPresent(facts.of(orderAddress).multisigOrder, 'order of a multisig wallet')
    const data = { ...readExecute(anchor), orderAddress, multisig, signers }
    foldBlocks(multisigExecute, data, [anchor], { failed: anchor.failed })
  },
}
