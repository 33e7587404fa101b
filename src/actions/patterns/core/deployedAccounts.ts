import type { Block } from '../../tree/Block.ts'

/** The accounts that became contracts in a block, or in what it was made of. */
export const deployedAccounts = ({ nodes }: Block): ReadonlySet<string> => {
  const deployed = nodes.filter(
    ({ isGhost, transaction: { origStatus, endStatus } }) =>
      !isGhost && origStatus !== 'active' && endStatus === 'active',
  )
  return new Set(deployed.map(({ transaction }) => transaction.account))
}
