import { foldMatch, type Matcher } from '../../match/Matcher.ts'
import { call } from '../../match/Pattern.ts'
import { blockKind } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { coffeeOps, readCreateVault } from '../bodies/coffee.ts'
import { getCall } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'

export type CoffeeVaultData = {
  readonly source: string | undefined
  readonly vault: string | undefined
  readonly asset: string | undefined
  readonly value: bigint
}

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
