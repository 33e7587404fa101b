import type { Shown } from '../../rows/ActionFacts.ts'
import { blockKind } from '../../tree/Block.ts'
import type { DexTransfer } from './DexTransfer.ts'

/** One exchange of a route. */
export type PeerSwap = {
  readonly assetIn: string | undefined
  readonly amountIn: bigint
  readonly assetOut: string | undefined
  readonly amountOut: bigint
}

export type JettonSwapData = {
  readonly dex: 'stonfi' | 'stonfi_v2' | 'dedust' | 'tonco' | 'coffee'
  readonly incoming: DexTransfer
  readonly outgoing: DexTransfer
  /** What was asked for; what came is in `outgoing`. */
  readonly assetOut: string | undefined
  /** Those of a route; none where a single pool did it. */
  readonly peers: readonly PeerSwap[]
  readonly minOut?: bigint | undefined
  /** The wallet of the exchange that was asked to pay, where the row names that one. */
  readonly payingWallet?: string | undefined
}

/** One asset for another. */
export const jettonSwap = blockKind<JettonSwapData>({
  name: 'jetton_swap',
  isClosed: true,
  describe: ({ data: { dex, incoming, outgoing, assetOut, peers, minOut, payingWallet } }) => ({
    source: incoming.source,
    sourceSecondary: incoming.sourceWallet,
    destination: outgoing.destination,
    destinationSecondary: payingWallet ?? outgoing.destinationWallet,
    details: {
      dex,
      sender: incoming.source ?? null,
      asset_in: incoming.asset ?? null,
      asset_out: assetOut ?? null,
      dex_incoming_transfer: showTransfer(incoming),
      dex_outgoing_transfer: showTransfer(outgoing),
      peer_swaps: peers.map(showPeer),
      min_out_amount: minOut?.toString(),
    },
  }),
})

const showTransfer = (transfer: DexTransfer): Shown => ({
  asset: transfer.asset ?? null,
  source: transfer.source ?? null,
  destination: transfer.destination ?? null,
  source_jetton_wallet: transfer.sourceWallet ?? null,
  destination_jetton_wallet: transfer.destinationWallet ?? null,
  amount: String(transfer.amount),
})

const showPeer = ({ assetIn, amountIn, assetOut, amountOut }: PeerSwap): Shown => ({
  asset_in: assetIn ?? null,
  amount_in: String(amountIn),
  asset_out: assetOut ?? null,
  amount_out: String(amountOut),
})
