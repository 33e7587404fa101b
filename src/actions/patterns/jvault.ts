import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { CellWriter } from '../../codec/cell/CellWriter.ts'
import { type DictType, readDict } from '../../codec/cell/Dict.ts'
import {
  call,
  foldMatch,
  kindOf,
  type Match,
  type MatchContext,
  type Matcher,
  oneOf,
  type Pattern,
} from '../match/Matcher.ts'
import type { AccountFacts } from '../trace/AccountFacts.ts'
import { type Addresses, type Block, blockKind, expectPresent, MatchRefusedError } from '../tree/Block.ts'
import { messageOf, openBody, readGivenAddress, tryRead } from './body.ts'
import { findCall, findKind, getCall, getKind, isCall, tonTransfer } from './core.ts'
import { jettonTransfer } from './jettons.ts'

/** Opcodes of jetton staking pools and of the wallets that hold the stakes. */
const jvaultOps = {
  receive: 0xd68a4ac1,
  unstake: 0x499a9262,
  unstakeRequest: 0x0168d4b7,
  claim: 0x78d9f109,
  sendClaimed: 0x44bc1fe3,
  requestUpdate: 0xf5c5baa3,
  update: 0xae9307ce,
  requestReferrer: 0x55c35b40,
  updateReferrer: 0x076ee4e0,
  setData: 0x383411ea,
  cancel: 0x9eada1d9,
} as const

/** Lock duration in seconds, from the forward payload. */
const readPeriod = (payload: Cell): number => {
  const r = openCell(payload)
  r.skipBits(32)
  return r.readUint(32)
}

/** The amount to unstake; both requests begin alike. */
const readUnstaked = (block: Block): bigint => {
  const r = openBody(block)
  r.skipBits(64)
  return r.readCoins()
}

const ADDRESS_BITS = 267

const addressSet: DictType<Uint8Array, true> = {
  key: { bits: ADDRESS_BITS, encode: (bits) => bits, decode: (bits) => bits.slice() },
  value: { read: (r) => r.readRest() && true, write: () => undefined },
}

/** The wallets of the pool whose jettons are claimed. */
const readClaimed = (block: Block): string[] => {
  const r = openBody(block)
  r.skipBits(64)
  return readDict(r, addressSet)
    .entries()
    .map(([bits]) => readGivenAddress(openCell(new CellWriter().writeBits(bits, ADDRESS_BITS).toCell())))
}

const readStakeWallet = (data: Cell) => {
  const r = openCell(data)
  return { pool: readGivenAddress(r), minter: readGivenAddress(r) }
}

/** The wallet in which a pool holds the stake. */
const readLockWallet = (data: Cell): string => {
  const r = openCell(data)
  r.skipBits(33)
  readGivenAddress(r)
  readGivenAddress(r)
  return readGivenAddress(r)
}

type JvaultUnstakeData = Addresses<'holder' | 'stakeWallet' | 'pool' | 'asset' | 'stakingAsset'> & {
  readonly amount: bigint
  /** Of a command that failed. */
  readonly exitCode: number | undefined
}

/** Unstake and unstake request have the same fields. */
const describeUnstake = ({ data }: Block<JvaultUnstakeData>) => ({
  source: data.holder,
  sourceSecondary: data.stakeWallet,
  destination: data.pool,
  details: {
    source: data.holder ?? null,
    stake_wallet: data.stakeWallet ?? null,
    pool: data.pool ?? null,
    amount: String(data.amount),
    exit_code: data.exitCode ?? null,
    asset: data.asset ?? null,
    staking_asset: data.stakingAsset ?? null,
  },
})

export type Stake = {
  readonly pool: string | undefined
  /** The jetton that is staked. */
  readonly asset: string | undefined
  /** The jetton that represents the stake. */
  readonly stakingAsset: string | undefined
}

const unknown: Stake = { pool: undefined, asset: undefined, stakingAsset: undefined }

/** The stake of a wallet, from its own data and from those of its pool, which may be newer. */
const findStake = (wallet: string | undefined, facts: AccountFacts): Stake =>
  tryRead(() => readStake(wallet, facts)) ?? unknown

const readStake = (wallet: string | undefined, facts: AccountFacts): Stake => {
  const { data } = facts.of(wallet)
  if (data === undefined) return unknown
  const { pool, minter } = readStakeWallet(data)
  const poolData = facts.of(pool).data
  if (poolData === undefined) return { pool, asset: undefined, stakingAsset: minter }
  const locked = facts.of(readLockWallet(poolData)).jettonWallet
  return locked === undefined ? unknown : { pool, asset: locked.jetton, stakingAsset: minter }
}

const step = call([jvaultOps.requestReferrer, jvaultOps.updateReferrer])

/** Referral payments, from one wallet to the next. No recursion: a chain may be long. */
const referrals: Pattern = {
  optional: true,
  take: (block) => {
    if (!isCall(block, jvaultOps.requestReferrer)) return undefined
    const taken: Block[] = []
    for (let at: Block | undefined = block; at !== undefined; at = at.next.find((next) => step.take(next))) {
      taken.push(...(step.take(at) ?? []))
    }
    return taken.length > 0 ? taken : undefined
  },
}

/** The pool reports the current stake to the wallet, which ends every command. */
const updated = call(jvaultOps.update)

export type JvaultClaimData = Addresses<'holder' | 'stakeWallet' | 'pool'> & {
  /** Wallets of the pool. */
  readonly claimed: readonly string[]
  readonly amount: bigint
}

/** Rewards for a stake. */
const jvaultClaim = blockKind<JvaultClaimData>({
  name: 'jvault_claim',
  describe: ({ data: { holder, stakeWallet, pool, claimed, amount } }) => ({
    source: holder,
    sourceSecondary: stakeWallet,
    destination: pool,
    details: {
      // One amount is known; its jetton is known only if there is a single one.
      claimed_rewards: claimed.length === 1 ? claimed.map((jetton) => ({ jetton, amount: String(amount) })) : [],
      source: holder ?? null,
      stake_wallet: stakeWallet ?? null,
      pool: pool ?? null,
    },
  }),
})

export const matchJvaultClaim: Matcher = {
  name: 'jvault claim',
  isAnchor: (block) => isCall(block, jvaultOps.claim),
  around: { next: call(jvaultOps.sendClaimed, { all: [kindOf(jettonTransfer), updated] }) },
  build: (match) => {
    const { anchor, others } = match
    const { source: holder, destination: stakeWallet } = messageOf(anchor)
    const data = {
      holder,
      stakeWallet,
      pool: messageOf(getCall(others, jvaultOps.sendClaimed)).destination,
      claimed: readClaimed(anchor),
      amount: getKind(others, jettonTransfer).data.amount,
    }
    foldMatch(match, jvaultClaim, data)
  },
}

export type JvaultStakeData = Addresses<'holder' | 'holderWallet' | 'stakeWallet' | 'pool' | 'asset'> & {
  readonly amount: bigint
  readonly period: number
}

/** Stake of jettons in a pool. */
const jvaultStake = blockKind<JvaultStakeData>({
  name: 'jvault_stake',
  describe: ({ data: { holder, holderWallet, stakeWallet, pool, asset, amount, period } }) => ({
    source: holder,
    sourceSecondary: holderWallet,
    destination: pool,
    details: {
      period,
      minted_stake_jettons: null,
      stake_wallet: stakeWallet ?? null,
      source: holder ?? null,
      source_jetton_wallet: holderWallet ?? null,
      asset: asset ?? null,
      pool: pool ?? null,
      amount: String(amount),
    },
  }),
})

const accepted = call(jvaultOps.requestUpdate, { all: [referrals, updated] })
const cancelled = call(jvaultOps.cancel, { next: kindOf(jettonTransfer, { optional: true }) })

export const matchJvaultStake: Matcher = {
  name: 'jvault stake',
  isAnchor: (block) => block.is(jettonTransfer),
  around: {
    all: [call(jvaultOps.receive, { next: oneOf([accepted, cancelled]) }), call(jvaultOps.setData, { optional: true })],
  },
  build: (match) => {
    const { anchor, others } = match
    const { sender, senderWallet, asset, amount, forward } = getKind([anchor], jettonTransfer).data
    const received = getCall(others, jvaultOps.receive)
    const { source: pool, destination: stakeWallet } = messageOf(received)
    const data = {
      holder: sender,
      holderWallet: senderWallet,
      stakeWallet,
      pool,
      asset,
      amount,
      period: readPeriod(expectPresent(forward, 'payload with a period').cell),
    }
    const isCancelled = findCall(others, jvaultOps.cancel) !== undefined
    const update = findCall(others, jvaultOps.requestUpdate)
    foldMatch(match, jvaultStake, data, { failed: received.failed || isCancelled || update?.failed === true })
  },
}

/** Unstake of jettons; if it failed, the exit code says why. */
const jvaultUnstake = blockKind<JvaultUnstakeData>({ name: 'jvault_unstake', describe: describeUnstake })

export const matchJvaultUnstake: Matcher = {
  name: 'jvault unstake',
  isAnchor: (block) => isCall(block, jvaultOps.unstake),
  around: {
    next: call(jvaultOps.requestUpdate, {
      optional: true,
      all: [referrals, kindOf(tonTransfer, { optional: true }), kindOf(jettonTransfer), updated],
    }),
  },
  build: (match, context) => foldMatch(match, jvaultUnstake, readUnstake(match, context)),
}

const readUnstake = ({ anchor, others }: Match, { facts }: MatchContext): JvaultUnstakeData => {
  const { source: holder, destination: stakeWallet } = messageOf(anchor)
  const stake = findStake(stakeWallet, facts)
  const pool = expectPresent(stake.pool, 'pool of the stake')
  const asset = expectPresent(stake.asset, 'staked jetton')
  const data = { holder, stakeWallet, pool, amount: readUnstaked(anchor), asset, stakingAsset: stake.stakingAsset }
  const update = findCall(others, jvaultOps.requestUpdate)
  const returned = findKind(others, jettonTransfer)
  if (update === undefined || returned === undefined) return { ...data, exitCode: anchor.node.transaction.exitCode }
  if (returned.data.asset !== asset) throw new MatchRefusedError('The returned asset differs from the staked one.')
  return { ...data, pool: messageOf(update).destination, exitCode: undefined }
}

/** Request to unstake jettons. */
const jvaultUnstakeRequest = blockKind<JvaultUnstakeData>({
  name: 'jvault_unstake_request',
  describe: describeUnstake,
})

export const matchJvaultUnstakeRequest: Matcher = {
  name: 'jvault unstake request',
  isAnchor: (block) => isCall(block, jvaultOps.unstakeRequest),
  around: { next: call(jvaultOps.requestUpdate, { optional: true, all: [referrals, updated] }) },
  build: (match, { facts }) => {
    const { anchor, others } = match
    const { source: holder, destination: stakeWallet } = messageOf(anchor)
    const stake = findStake(stakeWallet, facts)
    const data = { holder, stakeWallet, amount: readUnstaked(anchor), ...stake }
    const update = findCall(others, jvaultOps.requestUpdate)
    if (update === undefined) {
      expectPresent(stake.asset, 'staked jetton')
      const { exitCode } = anchor.node.transaction
      foldMatch(match, jvaultUnstakeRequest, { ...data, exitCode }, { failed: true })
    } else {
      const pool = messageOf(update).destination
      const failed = anchor.failed || update.failed
      foldMatch(match, jvaultUnstakeRequest, { ...data, pool, exitCode: undefined }, { failed })
    }
  },
}
