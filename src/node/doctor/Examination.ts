import type { BlockIdExt } from '../../primitives/BlockId.ts'
import type { LiteServerAddress } from '../../primitives/LiteServerAddress.ts'
import type { Finding } from './Finding.ts'
import type { Condition } from './judgeCondition.ts'
import type { ProvenSoFar } from './proveHead.ts'

/** Result of examining a server. Unknown facts are `undefined`. */
export type Examination = {
  readonly address: LiteServerAddress
  readonly condition: Condition | undefined
  readonly archival: boolean | undefined
  /** Its newest block that is proven from the anchor. */
  readonly provenSeqno: number | undefined
  readonly findings: readonly Finding[]
}

export type ExamineOptions = {
  readonly zeroState: BlockIdExt | undefined
  /** The block from which servers must prove their newest block; absent without proof checks. */
  readonly anchor: BlockIdExt | undefined
  readonly proven: ProvenSoFar | undefined
  /** Timeout of one request. */
  readonly stepMs: number
  /** Aborted at the overall time limit. */
  readonly deadline: AbortSignal
  /** Also true before the abort event was delivered. */
  readonly isTimeUp: () => boolean
}

/** `limited`: usable, with a limitation. */
export type Verdict = 'fine' | 'limited' | 'wrong'

export const verdictOn = ({ findings }: Examination): Verdict => {
  if (findings.some(({ level }) => level === 'wrong')) return 'wrong'
  return findings.length > 0 ? 'limited' : 'fine'
}
