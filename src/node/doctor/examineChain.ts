import { NodeAnswerError, NodeTimeoutError, NodeUnavailableError, ProofFailedError } from '../../chain/errors.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import type { LiteClient } from '../LiteClient.ts'
import { describeRefusal, isPassing } from './describeRefusal.ts'
import type { ExamineOptions } from './Examination.ts'
import { type Finding, findings } from './Finding.ts'
import { proveHead } from './proveHead.ts'

export type ChainExamination = { readonly provenSeqno: number | undefined; readonly findings: readonly Finding[] }

/** Whether a server can prove its newest block from the anchor. Nothing is asked where there is no anchor. */
export const examineChain = async (
  client: LiteClient,
  head: BlockIdExt,
  { anchor, proven, deadline, isTimeUp }: ExamineOptions,
): Promise<ChainExamination> => {
  const stuck = (finding: Finding): ChainExamination => ({ provenSeqno: undefined, findings: [finding] })
  if (anchor === undefined) return { provenSeqno: undefined, findings: [] }
  if (head.seqno < anchor.seqno) return stuck(findings.behindAnchor(head.seqno, anchor))
  try {
    const { reached, refusal } = await proveHead((kind, args) => client.ask(kind, args, { signal: deadline }), {
      anchor,
      target: head,
      proven: proven ?? { keyBlock: anchor },
      isTimeUp,
    })
    if (refusal !== undefined) {
      const reason = describeRefusal(refusal)
      return stuck(isPassing(refusal) ? findings.overloaded(reason) : findings.initPruned(reached, reason))
    }
    const isWhole = reached.seqno === head.seqno
    return { provenSeqno: reached.seqno, findings: isWhole ? [] : [findings.proofUnfinished(reached.seqno)] }
  } catch (error) {
    if (error instanceof ProofFailedError) return stuck(findings.proofFailed(error.message))
    if (error instanceof NodeAnswerError) return stuck(findings.badAnswer(error.message))
    if (error instanceof NodeUnavailableError || error instanceof NodeTimeoutError) {
      return stuck(findings.noAnswer('It does not answer when it is to prove its newest block.'))
    }
    throw error
  }
}
