import type { DecodedUnit } from '../DecodedUnit.ts'
import type { InspectedContracts, ResolvedAccount } from '../IndexBatch.ts'
import type { AccountResolver, UnitSource } from '../ports.ts'
import type { RawUnit } from '../RawUnit.ts'
import type { IndexStore } from './IndexStore.ts'

/** The stages, as the pipeline joins them. */
export type IndexerParts = {
  readonly source: UnitSource
  readonly decode: (unit: RawUnit, signal: AbortSignal) => Promise<DecodedUnit>
  readonly resolver: AccountResolver
  readonly inspect: (
    units: readonly DecodedUnit[],
    resolved: readonly ResolvedAccount[],
    signal: AbortSignal,
  ) => Promise<InspectedContracts>
  readonly store: IndexStore
}
