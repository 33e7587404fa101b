import type { Cell } from '../../../codec/cell/Cell.ts'
import type { Matcher } from '../../match/Matcher.ts'
import { expectPresent } from '../../match/MatchRefusedError.ts'
import { call } from '../../match/Pattern.ts'
import { formatPlainBoc } from '../../rows/format.ts'
import { blockKind } from '../../tree/Block.ts'
import { foldBlocks } from '../../tree/foldBlocks.ts'
import { messageOf } from '../bodies/body.ts'
import { multisigOps, type NewOrderBody, readInitOrder, readNewOrder } from '../bodies/multisig.ts'
import { getCall } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'

export type CreateOrderData = NewOrderBody & {
  readonly creator: string | undefined
  readonly multisig: string | undefined
  readonly orderAddress: string | undefined
  readonly order: Cell
  /** The creator signed it at once. */
  readonly isApproved: boolean
  readonly signers: readonly string[]
}

/** Somebody proposed what a multisig wallet should do. */
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
