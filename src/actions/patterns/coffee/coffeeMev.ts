import { foldMatch, type Matcher } from '../../match/Matcher.ts'
import { call, when } from '../../match/Pattern.ts'
import type { ActionFacts } from '../../rows/ActionFacts.ts'
import { type Block, type BlockKind, blockKind } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { coffeeOps } from '../bodies/coffee.ts'
import { isCall } from '../core/isCall.ts'
import { rootBlock } from '../core/synthetic.ts'
import { jettonTransfer } from '../jetton/jettonTransfer.ts'

export type CoffeeMevData = {
  readonly source: string | undefined
  readonly sourceWallet: string | undefined
  readonly contract: string | undefined
  readonly asset: string | undefined
  readonly amount: bigint
}

const describe = ({ source, sourceWallet, contract, asset, amount }: CoffeeMevData): ActionFacts => ({
  source,
  sourceSecondary: sourceWallet,
  destination: contract,
  details: {
    source: source ?? null,
    source_jetton_wallet: sourceWallet ?? null,
    mev_contract: contract ?? null,
    mev_contract_jetton_wallet: null,
    asset: asset ?? null,
    amount: String(amount),
  },
})

/** Funds for a swap that nobody shall see before it is made. */
const coffeeMevHold = blockKind<CoffeeMevData>({
  name: 'coffee_mev_protect_hold_funds',
  describe: ({ data }) => describe(data),
})

/** Such a swap that was not made. */
const coffeeMevFailed = blockKind<CoffeeMevData>({
  name: 'coffee_mev_protect_failed_swap',
  describe: ({ data }) => ({ ...describe(data), hasNoShape: true }),
})

/** Whoever sends the funds sends the fee along. */
const withFee = when((block) => !block.is(rootBlock), { optional: true, next: call(coffeeOps.serviceFee) })

const matchMev = (kind: BlockKind<CoffeeMevData>, opcode: number): Matcher => ({
  name: kind.name,
  isAnchor: (block) => isCall(block, opcode) || (block.is(jettonTransfer) && block.data.forward?.tag === opcode),
  around: { previous: withFee },
  build: (match) => {
    foldMatch(match, kind, readFunds(match.anchor))
  },
})

const readFunds = (block: Block): CoffeeMevData => {
  if (block.is(jettonTransfer)) {
    const { sender, senderWallet, receiver, asset, amount } = block.data
    return { source: sender, sourceWallet: senderWallet, contract: receiver, asset, amount }
  }
  const { source, destination, value = 0n } = messageOf(block)
  return { source, sourceWallet: undefined, contract: destination, asset: undefined, amount: value }
}

export const matchCoffeeMevHold = matchMev(coffeeMevHold, coffeeOps.mevHoldFunds)

export const matchCoffeeMevFailed = matchMev(coffeeMevFailed, coffeeOps.mevFailedSwap)
