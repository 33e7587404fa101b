import { call, kindOf, type Matcher } from '../match/Matcher.ts'
import { type Addresses, type Block, blockKind, expectPresent, foldBlocks } from '../tree/Block.ts'
import { messageOf, openBody, readAddress } from './body.ts'
import { getCall, getKind, isCall } from './core.ts'
import { jettonTransfer } from './jettons.ts'
import { nftMint } from './nfts.ts'

/** Opcodes of pools whose stakes are NFTs; logs have the opcode of the request. */
const coffeeStakingOps = { deposit: 0xf9471134, claim: 0xb30c7310, withdraw: 0xcb03bfaf } as const

/** The message of an item to its pool on withdrawal. */
const readPositionWithdraw = (block: Block) => {
  const r = openBody(block)
  r.skipBits(64)
  return { index: r.readUint64(), owner: readAddress(r), points: r.readCoins() }
}

/** The message of a pool to the contract that holds its jettons. */
const readPoolWithdraw = (block: Block) => {
  const r = openBody(block)
  r.skipBits(64)
  return { poolWallet: readAddress(r), amount: r.readCoins() }
}

const readClaim = (block: Block) => {
  const r = openBody(block)
  r.skipBits(64)
  return { poolWallet: readAddress(r), amount: r.readCoins(), receiver: readAddress(r) }
}

export type CoffeeStakingClaimData = Addresses<'pool' | 'poolWallet' | 'recipient' | 'recipientWallet' | 'asset'> & {
  readonly amount: bigint
}

/** Rewards for a stake. */
const coffeeStakingClaim = blockKind<CoffeeStakingClaimData>({
  name: 'coffee_staking_claim_rewards',
  describe: ({ data: { pool, poolWallet, recipient, recipientWallet, asset, amount } }) => ({
    source: pool,
    sourceSecondary: poolWallet,
    destination: recipient,
    destinationSecondary: recipientWallet,
    details: {
      pool: pool ?? null,
      pool_jetton_wallet: poolWallet ?? null,
      recipient: recipient ?? null,
      recipient_jetton_wallet: recipientWallet ?? null,
      asset: asset ?? null,
      amount: String(amount),
    },
  }),
})

export const matchCoffeeStakingClaim: Matcher = {
  name: 'coffee staking claim',
  isAnchor: (block) => isCall(block, coffeeStakingOps.claim),
  around: { all: [kindOf(jettonTransfer), call(coffeeStakingOps.claim, { optional: true })] },
  build: ({ anchor, others }) => {
    const { poolWallet, amount, receiver } = readClaim(anchor)
    const paid = getKind(others, jettonTransfer)
    const logs = others.filter((block) => isCall(block, coffeeStakingOps.claim))
    const data = {
      pool: messageOf(anchor).destination,
      poolWallet,
      recipient: receiver,
      recipientWallet: paid.data.receiverWallet,
      asset: paid.data.asset,
      amount,
    }
    foldBlocks(coffeeStakingClaim, data, [anchor, paid, ...logs])
  },
}

export type CoffeeStakingDepositData = Addresses<'holder' | 'holderWallet' | 'pool' | 'poolWallet' | 'asset'> & {
  readonly amount: bigint
  readonly item: string
  readonly index: bigint
}

/** Jettons were staked; an NFT represents the stake. */
const coffeeStakingDeposit = blockKind<CoffeeStakingDepositData>({
  name: 'coffee_staking_deposit',
  describe: ({ data: { holder, holderWallet, pool, poolWallet, asset, amount, item, index } }) => ({
    source: holder,
    sourceSecondary: holderWallet,
    destination: pool,
    destinationSecondary: poolWallet,
    details: {
      source: holder ?? null,
      source_jetton_wallet: holderWallet ?? null,
      pool: pool ?? null,
      pool_jetton_wallet: poolWallet ?? null,
      asset: asset ?? null,
      amount: String(amount),
      minted_item_address: item,
      minted_item_index: String(index),
    },
  }),
})

export const matchCoffeeStakingDeposit: Matcher = {
  name: 'coffee staking deposit',
  isAnchor: (block) => block.is(jettonTransfer),
  around: {
    next: call(coffeeStakingOps.deposit, {
      all: [call(coffeeStakingOps.deposit, { optional: true }), kindOf(nftMint)],
    }),
  },
  build: ({ anchor, others }) => {
    const { sender, senderWallet, receiverWallet, asset, amount } = getKind([anchor], jettonTransfer).data
    const deposited = getCall(others, coffeeStakingOps.deposit)
    const minted = getKind(others, nftMint)
    const logs = others.filter((block) => block.previous === deposited && isCall(block, coffeeStakingOps.deposit))
    const data = {
      holder: sender,
      holderWallet: senderWallet,
      pool: messageOf(deposited).destination,
      poolWallet: receiverWallet,
      asset,
      amount,
      item: minted.data.item,
      index: minted.data.index,
    }
    foldBlocks(coffeeStakingDeposit, data, [anchor, deposited, minted, ...logs])
  },
}

export type CoffeeStakingWithdrawData = Addresses<'holder' | 'holderWallet' | 'poolWallet' | 'asset' | 'item'> & {
  /** The sender of the message to the pool: the item. */
  readonly pool: string | undefined
  readonly amount: bigint
  readonly index: bigint
  readonly points: bigint
}

/** An NFT was returned for its stake. */
const coffeeStakingWithdraw = blockKind<CoffeeStakingWithdrawData>({
  name: 'coffee_staking_withdraw',
  describe: ({ data: { holder, holderWallet, pool, poolWallet, asset, amount, item, index, points } }) => ({
    source: holder,
    sourceSecondary: holderWallet,
    destination: pool,
    destinationSecondary: poolWallet,
    details: {
      source: holder ?? null,
      source_jetton_wallet: holderWallet ?? null,
      pool: pool ?? null,
      pool_jetton_wallet: poolWallet ?? null,
      asset: asset ?? null,
      amount: String(amount),
      nft_address: item ?? null,
      nft_index: String(index),
      points: String(points),
    },
  }),
})

const { withdraw } = coffeeStakingOps

/** The item notifies its pool, and the pool the contract that holds its jettons, all with the same opcode. */
export const matchCoffeeStakingWithdraw: Matcher = {
  name: 'coffee staking withdraw',
  isAnchor: (block) => isCall(block, withdraw),
  around: {
    next: call(withdraw, {
      all: [call(withdraw, { all: [kindOf(jettonTransfer)] }), call(withdraw, { optional: true })],
    }),
  },
  build: ({ anchor, others }) => {
    const [told, ...later] = others.filter((block) => isCall(block, withdraw))
    const returned = getKind(others, jettonTransfer)
    const position = expectPresent(told, 'withdrawal of the item')
    const { index, owner, points } = readPositionWithdraw(position)
    const paid = expectPresent(
      later.find((block) => block === returned.previous),
      'withdrawal of the pool',
    )
    const { poolWallet, amount } = readPoolWithdraw(paid)
    const data = {
      holder: owner,
      holderWallet: returned.data.receiverWallet,
      pool: messageOf(position).source,
      poolWallet,
      asset: returned.data.asset,
      amount,
      item: messageOf(anchor).destination,
      index,
      points,
    }
    foldBlocks(coffeeStakingWithdraw, data, [anchor, position, ...later, returned])
  },
}
