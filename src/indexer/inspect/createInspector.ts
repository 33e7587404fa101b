import type { VirtualMachine } from '../../chain/ports.ts'
import type { DnsZones } from '../../contracts/dns/domainItems.ts'
import type { Logger } from '../../observe/Logger.ts'
import type { DecodedUnit } from '../DecodedUnit.ts'
import type { InspectedContracts, ResolvedAccount } from '../IndexBatch.ts'
import type { ChainStates } from '../ports.ts'
import { CodeFacts } from './CodeFacts.ts'
import { createInspectStats, type InspectStats } from './InspectStats.ts'
import { inspectBatch } from './inspectBatch.ts'
import type { KnownContracts } from './KnownContracts.ts'
import { StoredCodes } from './listCodes.ts'
import { MethodResults } from './MethodResults.ts'
import { Offences } from './MethodRunner.ts'
import { VouchedTokens } from './VouchedTokens.ts'

export type InspectorOptions = {
  readonly vm: VirtualMachine
  /** Where there is none, no contract is looked at: only what the store knows already has events. */
  readonly states: ChainStates | undefined
  readonly known: KnownContracts
  readonly dnsZones: DnsZones
  readonly logger: Logger
  /** How many contracts are looked at at once: as many as the machine has threads, and a few that wait for an account. */
  readonly parallel?: number
}

export interface Inspector {
  /** What has been done since the start. */
  readonly stats: InspectStats
  /** What the contracts of consecutive units are after the last of them. Fails as a whole, and may then be tried again. */
  inspect(
    units: readonly DecodedUnit[],
    resolved: readonly ResolvedAccount[],
    signal: AbortSignal,
  ): Promise<InspectedContracts>
}

export const createInspector = ({ parallel = 4, ...options }: InspectorOptions): Inspector => {
  const stats = createInspectStats()
  const memory = {
    codes: new CodeFacts(8 << 20),
    stored: new StoredCodes(),
    vouched: new VouchedTokens(32 << 20),
    results: new MethodResults(32 << 20),
    offences: new Offences(),
  }
  return {
    stats,
    inspect: (units, resolved, signal) =>
      inspectBatch({ ...options, memory, stats, parallel }, { units, resolved }, signal),
  }
}
