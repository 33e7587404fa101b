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
import { Block, expectPresent, MatchRefusedError, walkBlocks } from '../tree/Block.ts'
import { messageOf } from './body.ts'
import { findCall, isCall, tonTransfer } from './core.ts'
import { dedustOps, readDepositRequest, readDepositToPool, readNativeDeposit } from './dedust.ts'
import { type AssetAmount, type DepositData, depositKind, type Target } from './dex.ts'
import { jettonOps, readInternalTransfer, readJettonNotify } from './jettons.ts'

/** An asset arrives at its vault, as coins or as jettons. */
const paidIn = oneOf([
  call(dedustOps.deposit),
  call(jettonOps.notify, { previous: call(jettonOps.internalTransfer, { previous: call(jettonOps.transfer) }) }),
])

/** The vault asks the factory to create a deposit contract, unless one exists. */
const askedFactory = ({ isNew }: { readonly isNew: boolean }): Pattern =>
  call(dedustOps.askFactory, { previous: paidIn, next: call(dedustOps.deployDeposit, { optional: !isNew }) })

/** The sender, asset and amount of a jetton transfer to a vault; the block is the notification of the vault. */
const readJettonDeposit = (notified: Block, { facts }: MatchContext) => {
  const { amount, from, forward } = readJettonNotify(notified)
  const vaultWallet = expectPresent(facts.of(messageOf(notified).source).jettonWallet, 'wallet of the vault')
  const received = expectPresent(notified.previous, 'transfer between wallets')
  return { amount, from, forward, asset: vaultWallet.jetton, userWallet: messageOf(received).source }
}

/** The asset that completes a deposit. */
const dedustDeposit = depositKind('dedust_deposit_liquidity')

const notified = call(jettonOps.notify, { optional: true })
const jettonsBack = call(jettonOps.transfer, {
  optional: true,
  next: call(jettonOps.internalTransfer, { next: notified }),
})
const returned = call(dedustOps.returnExcess, {
  optional: true,
  all: [jettonsBack, call(dedustOps.payout, { optional: true })],
})
const refunds: readonly Pattern[] = [kindOf(tonTransfer, { optional: true }), returned, returned]

export const matchDedustDeposit: Matcher = {
  name: 'dedust deposit',
  isAnchor: (block) => isCall(block, dedustOps.depositToPool),
  around: {
    previous: call(dedustOps.topUpDeposit, { previous: askedFactory({ isNew: false }) }),
    all: [
      oneOf([call(jettonOps.internalTransfer, { next: notified }), call(dedustOps.reject, { all: refunds })]),
      call(dedustOps.destroyDeposit, { optional: true, all: refunds }),
    ],
  },
  build: (match, context) => {
    const data = readDeposit(match, context)
    foldMatch(match, dedustDeposit, data, { failed: data.minted === undefined })
  },
}

const readDeposit = ({ anchor, others }: Match, context: MatchContext): DepositData => {
  const { owner, targets } = readDepositToPool(anchor)
  const { source: keeper, destination: pool } = messageOf(anchor)
  const shares = findCall(anchor.next, jettonOps.internalTransfer)
  const { leg, wallet } = readSent(anchor, owner, context)
  return {
    dex: 'dedust',
    provider: owner,
    pool,
    keeper,
    liquidityTo: keeper,
    legs: [leg, undefined],
    wallets: [wallet, undefined],
    minted: shares && readInternalTransfer(shares).amount,
    targets,
    excesses: [...listCoinsBack(others, owner), ...listJettonsBack(others, owner, context)],
  }
}

type Sent = { readonly leg: AssetAmount; readonly wallet: string | undefined }

/** The deposit of this step: from the deposit contract back through the factory to the vault. */
const readSent = ({ previous }: Block, owner: string | undefined, context: MatchContext): Sent => {
  const vaultCall = expectPresent(previous?.previous?.previous, 'call of the vault')
  if (isCall(vaultCall, dedustOps.deposit)) {
    return { leg: { asset: undefined, amount: readNativeDeposit(vaultCall).amount }, wallet: undefined }
  }
  const { asset, amount, userWallet } = readJettonDeposit(vaultCall, context)
  const known = context.facts.of(userWallet).jettonWallet
  const isOwn = messageOf(expectPresent(vaultCall.previous?.previous, 'transfer')).source === owner
  return { leg: { asset, amount }, wallet: isOwn && known?.jetton === asset ? userWallet : undefined }
}

const listCoinsBack = (others: readonly Block[], owner: string | undefined): AssetAmount[] =>
  others
    .filter((block) => isCall(block, dedustOps.payout) && messageOf(block).destination === owner)
    .map((block) => ({ asset: undefined, amount: messageOf(block).value ?? 0n }))

/** The transfers of vaults that no pattern has folded yet. */
const listJettonsBack = (
  others: readonly Block[],
  owner: string | undefined,
  { facts }: MatchContext,
): AssetAmount[] => {
  const back: AssetAmount[] = []
  for (const block of others) {
    if (!isCall(block, dedustOps.returnExcess)) continue
    const sent = findCall(block.next, jettonOps.transfer)
    const received = sent && findCall(sent.next, jettonOps.internalTransfer)
    const wallet = received && facts.of(messageOf(received).destination).jettonWallet
    if (wallet?.owner !== owner || received === undefined) continue
    back.push({ asset: wallet?.jetton, amount: readInternalTransfer(received).amount })
  }
  return back
}

/** An asset of a deposit that waits for the other one. */
const dedustFirstDeposit = depositKind('dedust_deposit_liquidity_partial')

export const matchDedustFirstDeposit: Matcher = {
  name: 'dedust first deposit',
  isAnchor: (block) => isCall(block, dedustOps.topUpDeposit),
  around: { previous: askedFactory({ isNew: true }) },
  build: (match, context) => {
    if (findCall(match.anchor.next, dedustOps.depositToPool, dedustOps.reject) !== undefined) {
      throw new MatchRefusedError('The deposit is complete.')
    }
    foldMatch(match, dedustFirstDeposit, readFirstDeposit(match.anchor, context))
  },
}

const readFirstDeposit = (anchor: Block, context: MatchContext): DepositData => {
  const vaultCall = expectPresent(anchor.previous?.previous, 'call of the vault')
  const keeper = messageOf(anchor).destination
  const common = {
    dex: 'dedust',
    pool: undefined,
    keeper,
    liquidityTo: keeper,
    minted: undefined,
    excesses: [],
  } as const
  if (isCall(vaultCall, dedustOps.deposit)) {
    const { amount, targets } = readNativeDeposit(vaultCall)
    const provider = messageOf(vaultCall).source
    return {
      ...common,
      provider,
      legs: [{ asset: undefined, amount }, undefined],
      wallets: [undefined, undefined],
      targets,
    }
  }
  const { amount, from, forward, asset, userWallet } = readJettonDeposit(vaultCall, context)
  const targets = readDepositRequest(expectPresent(forward, 'request').cell)
  return { ...common, provider: from, legs: [{ asset, amount }, undefined], wallets: [userWallet, undefined], targets }
}

/** Two assets at one deposit contract are one deposit: the step that completed it absorbs the other. */
export const mergeDedustDeposits = (root: Block): void => {
  const byKeeper = new Map<string | undefined, Block<DepositData>[]>()
  for (const block of walkBlocks(root)) {
    if (!block.is(dedustDeposit) && !block.is(dedustFirstDeposit)) continue
    byKeeper.set(block.data.keeper, [...(byKeeper.get(block.data.keeper) ?? []), block])
  }
  // With reused deposit contracts the assignment is ambiguous.
  if ([...byKeeper.values()].some(({ length }) => length > 2)) return
  for (const deposits of byKeeper.values()) {
    const first = deposits.find((block) => block.is(dedustFirstDeposit))
    const last = deposits.find((block) => block.is(dedustDeposit))
    const data = first && last && joinDeposits(first.data, last.data)
    if (data !== undefined) replaceBoth(first!, last!, data)
  }
}

/** `undefined` if they are not the two assets of one pool. */
const joinDeposits = (first: DepositData, last: DepositData): DepositData | undefined => {
  const [one, other] = [first.legs[0], last.legs[0]]
  if (one === undefined || other === undefined || one.asset === other.asset) return undefined
  const targets = [findTarget(last, one), findTarget(last, other)] as const
  if (targets[0] === undefined || targets[1] === undefined) return undefined
  return {
    ...last,
    legs: [one, other],
    wallets: [first.wallets[0], last.wallets[0]],
    targets: [targets[0], targets[1]],
  }
}

const findTarget = ({ targets }: DepositData, { asset }: AssetAmount): Target | undefined =>
  targets?.find((target) => target.asset === asset)

/** The blocks are on different branches, so they cannot be folded: the children of both become children of the merged block. */
const replaceBoth = (first: Block<DepositData>, last: Block<DepositData>, data: DepositData): void => {
  const nodes = new Set([...last.nodes, ...first.nodes])
  if (first.initiating !== undefined && first.initiating !== last.initiating) nodes.add(first.initiating)
  const merged = new Block(dedustDeposit, data, [...nodes], last.failed)
  replaceNext(last, [merged as Block])
  replaceNext(first, [])
  merged.previous = last.previous
  for (const part of [last, first]) {
    for (const next of part.next) merged.connect(next)
    part.container = merged as Block
    merged.children.push(part as Block)
  }
}

const replaceNext = (block: Block<DepositData>, by: readonly Block[]): void => {
  if (block.previous === undefined) return
  block.previous.next = block.previous.next.flatMap((next) => (next === block ? by : [next]))
}
