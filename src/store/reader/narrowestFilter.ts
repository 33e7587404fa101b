import { type RawBuilder, sql } from 'kysely'
import { isAnyOf } from './isAnyOf.ts'
import type { EventFilter } from './listEvents.ts'
import type { Arm } from './unitedQuery.ts'

type Condition = RawBuilder<boolean>

export type TokenEventFilter = Pick<EventFilter, 'window'> & {
  /** Contracts that the events happened to: wallets, or items. */
  readonly accounts: readonly Uint8Array[] | undefined
  readonly owners: readonly Uint8Array[] | undefined
  /** The columns in any of which an owner may be. */
  readonly sides: readonly string[]
  /** What the contracts belong to: a jetton, or a collection. */
  readonly parent: Omit<Arm, 'keys'> & { readonly key: Uint8Array | undefined }
  /** What holds for all that are wanted, whatever is asked. */
  readonly always?: readonly Condition[]
}

/** The narrowest of the filters says where to look; the others are compared. */
export const narrowestFilter = (filter: TokenEventFilter): EventFilter => {
  const { accounts, owners, sides, parent, always = [], window } = filter
  const { key, ...parentArm } = parent
  const ofParent: Condition[] = key === undefined ? [] : [sql`${sql.ref(parent.column)} = ${sql.val(key)}`]
  if (accounts !== undefined) {
    const compared = [...(owners === undefined ? [] : [isAtAnySide(sides, owners)]), ...ofParent]
    const arms = [{ column: 'account', keys: accounts }]
    return { arms, where: [...compared, ...always], isLoose: compared.length === 0, window }
  }
  if (owners !== undefined) {
    const arms = sides.map((column): Arm => ({ column, keys: owners }))
    return { arms, where: [...ofParent, ...always], isLoose: ofParent.length === 0, window }
  }
  return { arms: key === undefined ? [] : [{ ...parentArm, keys: [key] }], where: always, isLoose: true, window }
}

const isAtAnySide = (sides: readonly string[], owners: readonly Uint8Array[]): Condition =>
  sides.length === 1
    ? isAnyOf(sides[0]!, owners)
    : sql`(${sql.join(
        sides.map((side) => isAnyOf(side, owners)),
        sql` or `,
      )})`
