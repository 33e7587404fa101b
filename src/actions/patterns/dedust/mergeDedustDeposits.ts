import { Block, walkBlocks } from '../../tree/Block.ts'
import type { AssetAmount, DepositData, Target } from '../dex/depositLiquidity.ts'
import { dedustDeposit } from './dedustDeposit.ts'
import { dedustFirstDeposit } from './dedustFirstDeposit.ts'

/** Two assets that came to one deposit contract are one deposit: the step that completed it takes in the other. */
export const mergeDedustDeposits = (root: Block): void => {
  const byKeeper = new Map<string | undefined, Block<DepositData>[]>()
  for (const block of walkBlocks(root)) {
    if (!block.is(dedustDeposit) && !block.is(dedustFirstDeposit)) continue
    byKeeper.set(block.data.keeper, [...(byKeeper.get(block.data.keeper) ?? []), block])
  }
  // Contracts that were used over and over leave it open what belongs to what.
  if ([...byKeeper.values()].some(({ length }) => length > 2)) return
  for (const deposits of byKeeper.values()) {
    const first = deposits.find((block) => block.is(dedustFirstDeposit))
    const last = deposits.find((block) => block.is(dedustDeposit))
    const data = first && last && joinDeposits(first.data, last.data)
    if (data !== undefined) replaceBoth(first!, last!, data)
  }
}

/** `undefined` where they are not the two assets of one pool. */
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

/** They hang on different branches, so they cannot be folded: what followed either follows the one that takes their place. */
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
