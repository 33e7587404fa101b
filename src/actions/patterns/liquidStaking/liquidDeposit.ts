import { foldMatch, type Matcher } from '../../match/Matcher.ts'
import { call } from '../../match/Pattern.ts'
import { blockKind } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { jettonOps, readInternalTransfer } from '../bodies/jetton.ts'
import { liquidOps } from '../bodies/liquidStaking.ts'
import { getCall } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'

/** What a pool keeps of every deposit, to send its messages. */
const DEPOSIT_FEE = 1_000_000_000n

export type LiquidDepositData = {
  readonly holder: string | undefined
  readonly holderWallet: string | undefined
  readonly pool: string | undefined
  readonly amount: bigint
  readonly tokensMinted: bigint
  readonly asset: string | undefined
}

/** A stake, for which the pool gave tokens. */
const liquidDeposit = blockKind<LiquidDepositData>({
  name: 'tonstakers_deposit',
  type: 'stake_deposit',
  isClosed: true,
  describe: ({ data: { holder, holderWallet, pool, amount, tokensMinted, asset } }) => ({
    source: holder,
    sourceSecondary: holderWallet,
    destination: pool,
    details: {
      provider: 'liquid_staking',
      stake_holder: holder ?? null,
      pool: pool ?? null,
      amount: String(amount),
      tokens_minted: String(tokensMinted),
      asset: asset ?? null,
    },
  }),
})

export const matchLiquidDeposit: Matcher = {
  name: 'liquid staking deposit',
  isAnchor: (block) => isCall(block, liquidOps.deposit),
  around: {
    next: call(liquidOps.mint, {
      next: call(jettonOps.internalTransfer, { next: call(jettonOps.notify, { optional: true }) }),
    }),
  },
  build: (match) => {
    const { anchor, others } = match
    const received = getCall(others, jettonOps.internalTransfer)
    const { source: holder, destination: pool, value = 0n } = messageOf(anchor)
    const data = {
      holder,
      holderWallet: messageOf(received).destination,
      pool,
      amount: value - DEPOSIT_FEE,
      tokensMinted: readInternalTransfer(received).amount,
      asset: messageOf(received).source,
    }
    foldMatch(match, liquidDeposit, data, { failed: anchor.failed })
  },
}
