import type { DecodedUnit } from '../DecodedUnit.ts'
import type { InspectedContracts, ResolvedAccount } from '../IndexBatch.ts'
import type { AccountResolver, UnitSource } from '../ports.ts'
import type { RawUnit } from '../RawUnit.ts'
import type { IndexStore } from './IndexStore.ts'

/** The stages that look at accounts. */
export type Looks = {
  readonly resolver: AccountResolver
  readonly inspect: (
    units: readonly DecodedUnit[],
    resolved: readonly ResolvedAccount[],
    signal: AbortSignal,
  ) => Promise<InspectedContracts>
}

/** The stages, as the pipeline joins them. */
export type IndexerParts = {
  readonly source: UnitSource
  readonly decode: (unit: RawUnit, signal: AbortSignal) => Promise<DecodedUnit>
  readonly store: IndexStore
  readonly looks: Looks
  /** For blocks of which nobody has the states any more: it looks at what is left of them. */
  readonly looksBack?: (newest: () => number) => Looks
}
