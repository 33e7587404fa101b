import { findDedustPool, isDedustPoolCode } from '../../../contracts/dedustPool.ts'
import { addressKeyOf } from '../../../primitives/Address.ts'
import type { Detector } from '../Detector.ts'
import { commonColumns } from '../Subject.ts'

export const dedustPool: Detector = {
  name: 'dedust_pool',
  isCandidate: ({ codeHash }) => isDedustPoolCode(codeHash),
  async detect({ run }, subject) {
    const pool = await findDedustPool(run, subject.contract.address)
    if (pool === undefined) return undefined
    const { isStable, assets, reserves, fee } = pool
    return {
      dex_pools: {
        ...commonColumns(subject),
        fee,
        dex: 'dedust',
        kind: isStable ? 'stable' : 'volatile',
        reserve_1: reserves[0],
        reserve_2: reserves[1],
        asset_1: assets[0] && addressKeyOf(assets[0]),
        asset_2: assets[1] && addressKeyOf(assets[1]),
      },
    }
  },
}
