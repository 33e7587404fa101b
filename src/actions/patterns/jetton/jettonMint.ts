import { foldMatch, type Match, type MatchContext, type Matcher } from '../../match/Matcher.ts'
import { expectPresent } from '../../match/MatchRefusedError.ts'
import { call, oneOf } from '../../match/Pattern.ts'
import { orNull } from '../../rows/format.ts'
import { type Block, blockKind } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { jettonOps, readInternalTransfer, readJettonMint, readMinterMint } from '../bodies/jetton.ts'
import { findCall } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'

export type JettonMintData = {
  readonly asset: string | undefined
  readonly receiver: string | undefined
  readonly receiverWallet: string | undefined
  /** `undefined` where nothing was minted, and the request does not say. */
  readonly amount: bigint | undefined
  readonly tonAmount: bigint
}

/** New jettons. */
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
