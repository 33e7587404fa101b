import { foldMatch, type Matcher } from '../../match/Matcher.ts'
import { expectPresent } from '../../match/MatchRefusedError.ts'
import { call, oneOf, when } from '../../match/Pattern.ts'
import { type Block, blockKind } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { type CoffeePoolAssets, coffeeOps, readCreatePoolJetton, readCreatePoolNative } from '../bodies/coffee.ts'
import { getCall } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'
import { jettonTransfer } from '../jetton/jettonTransfer.ts'

export type CoffeePoolCreatorData = {
  readonly source: string | undefined
  readonly sourceWallet: string | undefined
  readonly recipient: string | undefined
  readonly creator: string | undefined
  readonly provided: string | undefined
  readonly amount: bigint
  /** Of the pool that is to be. */
  readonly assets: CoffeePoolAssets
}

/** An asset for a pool that is to be made when the other one comes. The assets are shown where the reference has them. */
export const coffeePoolCreator = blockKind<CoffeePoolCreatorData>({
  name: 'coffee_create_pool_creator',
  describe: ({ data: { source, sourceWallet, recipient, creator, provided, amount, assets } }) => ({
    source,
    sourceSecondary: sourceWallet,
    destination: recipient,
    destinationSecondary: creator,
    details: {
      source: source ?? null,
      source_jetton_wallet: sourceWallet ?? null,
      deposit_recipient: recipient ?? null,
      pool_creator_contract: creator ?? null,
      provided_asset: null,
      asset_1: provided ?? null,
      asset_2: assets[0] ?? null,
      amount: String(amount),
    },
  }),
})

const isJettonRequest = (block: Block): boolean =>
  block.is(jettonTransfer) && block.data.forward?.tag === coffeeOps.createPoolJetton

export const matchCoffeePoolCreator: Matcher = {
  name: 'coffee pool creator',
  isAnchor: (block) => isCall(block, coffeeOps.createPoolCreator),
  around: {
    previous: oneOf([when(isJettonRequest), call(coffeeOps.createPoolNative)]),
    next: call(coffeeOps.deploy),
  },
  build: (match) => {
    const creator = messageOf(getCall(match.others, coffeeOps.deploy)).destination
    foldMatch(match, coffeePoolCreator, { ...readRequest(match.anchor), creator })
  },
}

const readRequest = ({ previous }: Block): Omit<CoffeePoolCreatorData, 'creator'> => {
  const request = expectPresent(previous, 'request')
  if (request.is(jettonTransfer)) {
    const { sender, senderWallet, asset, amount, forward } = request.data
    const asked = readCreatePoolJetton(expectPresent(forward, 'request').cell)
    return { source: sender, sourceWallet: senderWallet, provided: asset, amount, ...asked }
  }
  return {
    source: messageOf(request).source,
    sourceWallet: undefined,
    provided: undefined,
    ...readCreatePoolNative(request),
  }
}
