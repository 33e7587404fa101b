import type { Cell } from '../../../codec/cell/Cell.ts'
import type { ActionFacts } from '../../rows/ActionFacts.ts'
import { formatBoc, orNull } from '../../rows/format.ts'
import type { NftItemFacts } from '../../trace/AccountFacts.ts'
import type { Payload } from '../bodies/payload.ts'

/** How an item was sold. */
export type NftSale = {
  readonly marketplace: 'getgems' | 'fragment'
  readonly marketplaceAddress: string | undefined
  readonly price: bigint | undefined
  /** Who sold it, where the contract of the sale was its owner in between. */
  readonly realOldOwner: string | undefined
}

/** What somebody got out of a sale. */
export type Share = { readonly amount: bigint | undefined; readonly address: string | undefined }

export type Payout = Share & {
  /** Only where it is known to have been able to carry one. */
  readonly comment?: { readonly text: string | undefined; readonly isEncrypted: boolean }
}

export type NftTransferData = {
  readonly item: string
  readonly collection: string | undefined
  readonly index: bigint
  readonly oldOwner: string | undefined
  readonly newOwner: string | undefined
  readonly queryId: bigint
  readonly response: string | undefined
  readonly customPayload: Cell | undefined
  readonly forwardAmount: bigint | undefined
  readonly forward: Payload | undefined
  /** `undefined` where it was given away. */
  readonly sale: NftSale | undefined
  readonly payout: Payout | undefined
  readonly royalty: Share | undefined
}

/** An item as patterns keep it. */
export const itemOf = (item: string, { collection, index }: NftItemFacts) => ({ item, collection, index })

export const describeNftTransfer = (data: NftTransferData): ActionFacts => {
  const { oldOwner, newOwner, forward, sale, payout, royalty } = data
  return {
    source: oldOwner,
    destination: newOwner,
    details: {
      nft_collection: data.collection ?? null,
      nft_item: data.item,
      nft_item_index: String(data.index),
      old_owner: oldOwner,
      new_owner: newOwner ?? null,
      is_purchase: sale !== undefined,
      price: sale?.price?.toString(),
      query_id: String(data.queryId),
      response_destination: data.response ?? null,
      custom_payload: formatBoc(data.customPayload),
      forward_payload: formatBoc(forward?.cell),
      forward_amount: orNull(data.forwardAmount),
      comment: forward?.comment ?? null,
      is_encrypted_comment: forward?.isEncrypted ?? null,
      marketplace: null,
      real_old_owner: sale?.realOldOwner ?? null,
      marketplace_address: sale?.marketplaceAddress ?? null,
      payout_amount: orNull(payout?.amount),
      payout_address: payout?.address ?? null,
      payout_comment: payout?.comment?.text ?? null,
      payout_comment_encrypted: payout?.comment?.isEncrypted ?? null,
      payout_comment_encoded: payout?.comment?.isEncrypted ?? null,
      royalty_amount: orNull(royalty?.amount),
      royalty_address: royalty?.address ?? null,
    },
  }
}
