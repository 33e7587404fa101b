import { foldMatch, type Matcher } from '../../match/Matcher.ts'
import { call } from '../../match/Pattern.ts'
import { blockKind } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { readCreatePool, readInitPool, type ToncoCreatePoolBody, toncoOps } from '../bodies/tonco.ts'
import { getCall } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'

export type ToncoPoolData = ToncoCreatePoolBody & {
  readonly source: string | undefined
  readonly router: string | undefined
  readonly pool: string | undefined
  readonly isActive: boolean
}

/** A new pool. */
const toncoPool = blockKind<ToncoPoolData>({
  name: 'tonco_deploy_pool',
  describe: ({ data }) => ({
    source: data.source,
    destination: data.router,
    destinationSecondary: data.pool,
    details: {
      source: data.source ?? null,
      pool: data.pool ?? null,
      router: data.router ?? null,
      router_jetton_wallet_1: data.wallets[0],
      router_jetton_wallet_2: data.wallets[1],
      jetton_minter_1: data.minters[0],
      jetton_minter_2: data.minters[1],
      tick_spacing: String(data.tickSpacing),
      initial_price_x96: String(data.priceX96),
      protocol_fee: String(data.protocolFee),
      lp_fee_base: String(data.lpFeeBase),
      lp_fee_current: String(data.lpFeeCurrent),
      pool_active: data.isActive,
    },
  }),
})

export const matchToncoDeployPool: Matcher = {
  name: 'tonco new pool',
  isAnchor: (block) => isCall(block, toncoOps.createPool),
  around: { next: call(toncoOps.initPool) },
  build: (match) => {
    const { source, destination: router } = messageOf(match.anchor)
    const created = getCall(match.others, toncoOps.initPool)
    const pool = messageOf(created).destination
    const data = { ...readCreatePool(match.anchor), source, router, pool, isActive: readInitPool(created) }
    foldMatch(match, toncoPool, data)
  },
}
