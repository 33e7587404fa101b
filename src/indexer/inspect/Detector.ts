import type { DnsZones } from '../../contracts/dns/domainItems.ts'
import type { RunMethod } from '../../contracts/getMethods.ts'
import type { CopyRow } from '../../store/Table.ts'
import type { tables } from '../../store/tables.ts'
import type { ContractTable, InspectStats } from './InspectStats.ts'
import type { NewerRows } from './NewerRows.ts'
import type { Subject } from './Subject.ts'
import type { VouchedTokens } from './VouchedTokens.ts'

/** At most one row of each table. */
export type FoundRows = { readonly [T in ContractTable]?: CopyRow<(typeof tables)[T]> }

export type DetectorContext = {
  /** Runs methods after the last block of the batch. */
  readonly run: RunMethod
  readonly vouched: VouchedTokens
  readonly stats: InspectStats
  readonly dnsZones: DnsZones
  readonly newer: NewerRows
}

/** Recognises one kind of contract. */
export type Detector = {
  readonly name: string
  /** Whether the code is such that it is worth a run. */
  readonly isCandidate: (subject: Subject) => boolean
  /** What is written of it; `undefined` where it is no contract of this kind. */
  readonly detect: (context: DetectorContext, subject: Subject) => Promise<FoundRows | undefined>
}
