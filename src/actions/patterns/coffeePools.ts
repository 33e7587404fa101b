import { call, foldMatch, type Matcher, oneOf, when } from '../match/Matcher.ts'
import { type Addresses, type Block, blockKind, expectPresent, MatchRefusedError } from '../tree/Block.ts'
import { messageOf } from './body.ts'
import {
  type CoffeePoolAssets,
  coffeeOps,
  readCreatePool,
  readCreatePoolJetton,
  readCreatePoolNative,
  readCreateVault,
  readLiquidityEvent,
} from './coffee.ts'
import { getCall, isCall } from './core.ts'
import { jettonOps, jettonTransfer } from './jettons.ts'

type CoffeePoolCreatorData = Addresses<'source' | 'sourceWallet' | 'recipient' | 'creator' | 'provided'> & {
  readonly amount: bigint
  /** Of the future pool. */
  readonly assets: CoffeePoolAssets
}

/** First asset of a pool that is created when the second one arrives. The assets are shown in the fields of the reference service. */
const coffeePoolCreator = blockKind<CoffeePoolCreatorData>({
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

export type CoffeePoolData = {
  /** The step that completed it. */
  readonly last: CoffeePoolCreatorData
  readonly pool: string | undefined
  /** The deposits and their senders; the asset of the last step comes first. */
  readonly other: string | undefined
  readonly initiators: readonly [string | undefined, string | undefined]
  readonly amounts: readonly [bigint, bigint]
  readonly shares: bigint
}

/** A new pool, with its first liquidity. */
const coffeePool = blockKind<CoffeePoolData>({
  name: 'coffee_create_pool',
  describe: ({ data: { last, pool, other, initiators, amounts, shares } }) => ({
    source: last.source,
    sourceSecondary: last.sourceWallet,
    destination: pool,
    details: {
      source: last.source ?? null,
      source_jetton_wallet: last.sourceWallet ?? null,
      initiator_1: initiators[0] ?? null,
      initiator_2: initiators[1] ?? null,
      pool: pool ?? null,
      pool_creator_contract: null,
      provided_asset: last.provided ?? null,
      amount: String(last.amount),
      asset_1: last.provided ?? null,
      asset_2: other ?? null,
      amount_1: String(amounts[0]),
      amount_2: String(amounts[1]),
      lp_tokens_minted: String(shares),
    },
  }),
})

const notified = call(coffeeOps.notification, {
  optional: true,
  next: call(coffeeOps.notificationAnswer, { optional: true }),
})
const made = call(coffeeOps.deploy, {
  all: [call(jettonOps.internalTransfer), call(coffeeOps.depositEvent), notified],
})

export const matchCoffeePool: Matcher = {
  name: 'coffee new pool',
  isAnchor: (block) => block.is(coffeePoolCreator),
  around: { next: call(coffeeOps.createPool, { next: made }) },
  build: (match) => {
    if (!match.anchor.is(coffeePoolCreator)) throw new MatchRefusedError('No pool creation was requested.')
    const last = match.anchor.data
    const request = getCall(match.others, coffeeOps.createPool)
    const { amounts, initiator } = readCreatePool(request)
    const isSecond = last.provided === last.assets[1] && last.provided !== last.assets[0]
    foldMatch(match, coffeePool, {
      last,
      pool: messageOf(getCall(request.next, coffeeOps.deploy)).destination,
      other: isSecond ? last.assets[0] : last.assets[1],
      initiators: isSecond ? [initiator, last.source] : [last.source, initiator],
      amounts: isSecond ? [amounts[1], amounts[0]] : amounts,
      shares: readLiquidityEvent(getCall(match.others, coffeeOps.depositEvent)).shares,
    })
  },
}

export type CoffeeVaultData = Addresses<'source' | 'vault' | 'asset'> & { readonly value: bigint }

/** A new vault for an asset. */
const coffeeVault = blockKind<CoffeeVaultData>({
  name: 'coffee_create_vault',
  describe: ({ data: { source, vault, asset, value } }) => ({
    source,
    destination: vault,
    details: { source: source ?? null, vault: vault ?? null, asset: asset ?? null, value: String(value) },
  }),
})

/** The vault asks for the address of its wallet. */
const wallet = call(coffeeOps.provideWalletAddress, {
  optional: true,
  next: call(coffeeOps.takeWalletAddress, { optional: true }),
})

export const matchCoffeeVault: Matcher = {
  name: 'coffee new vault',
  isAnchor: (block) => isCall(block, coffeeOps.createVault),
  around: { next: call(coffeeOps.deploy, { next: wallet }) },
  build: (match) => {
    const { source, value = 0n } = messageOf(match.anchor)
    const vault = messageOf(getCall(match.others, coffeeOps.deploy)).destination
    foldMatch(match, coffeeVault, { source, vault, asset: readCreateVault(match.anchor), value })
  },
}
