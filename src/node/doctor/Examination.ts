import type { BlockIdExt } from '../../primitives/BlockId.ts'
import type { LiteServerAddress } from '../../primitives/LiteServerAddress.ts'
import type { Condition } from './askCondition.ts'
import type { Finding } from './Finding.ts'
import type { ProvenSoFar } from './proveHead.ts'

/** What was found out about a server. What could not be is `undefined`. */
export type Examination = {
  readonly address: LiteServerAddress
  readonly condition: Condition | undefined
  readonly archival: boolean | undefined
  /** The newest block of it that is proven from the anchor. */
  readonly provenSeqno: number | undefined
  readonly findings: readonly Finding[]
}

export type ExamineOptions = {
  readonly zeroState: BlockIdExt | undefined
  /** The block from which servers are to prove their newest one; absent where they need not. */
  readonly anchor: BlockIdExt | undefined
  readonly proven: ProvenSoFar | undefined
  /** How long one question may take. */
  readonly stepMs: number
  /** Aborted when the time for all is up. */
  readonly deadline: AbortSignal
  /** Also true where the signal has not had its turn yet. */
  readonly isTimeUp: () => boolean
}

/** `limited`: of use, with something to know about it. */
export type Verdict = 'fine' | 'limited' | 'wrong'

export const verdictOn = ({ findings }: Examination): Verdict => {
  if (findings.some(({ level }) => level === 'wrong')) return 'wrong'
  return findings.length > 0 ? 'limited' : 'fine'
}
