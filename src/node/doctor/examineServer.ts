import { NodeAnswerError, NodeRefusedError, NodeTimeoutError, NodeUnavailableError } from '../../chain/errors.ts'
import type { LiteServerAddress } from '../../primitives/LiteServerAddress.ts'
import { LiteClient } from '../LiteClient.ts'
import { askArchival } from './askArchival.ts'
import { askCondition } from './askCondition.ts'
import { describeRefusal } from './describeRefusal.ts'
import { diagnoseConnection } from './diagnoseConnection.ts'
import type { Examination, ExamineOptions } from './Examination.ts'
import { examineChain } from './examineChain.ts'
import { type Finding, findings } from './Finding.ts'
import { isOfNetwork, judgeCondition } from './judgeCondition.ts'

/** Looks at one server from the connection up, until something is so wrong that the rest makes no sense. */
export const examineServer = async (address: LiteServerAddress, options: ExamineOptions): Promise<Examination> => {
  const { zeroState, stepMs, deadline } = options
  const client = new LiteClient(address, { connectTimeoutMs: stepMs, timeoutMs: stepMs })
  const blank = { address, condition: undefined, archival: undefined, provenSeqno: undefined }
  try {
    const condition = await askCondition(client, deadline)
    if (!isOfNetwork(condition, zeroState)) return { ...blank, condition, findings: [findings.wrongNetwork()] }
    const [archival, chain] = await Promise.all([
      askArchival(client, condition.head, deadline),
      examineChain(client, condition.head, options),
    ])
    return {
      address,
      condition,
      archival,
      provenSeqno: chain.provenSeqno,
      findings: [
        ...judgeCondition(condition),
        ...chain.findings,
        ...(archival === false ? [findings.notArchival()] : []),
      ],
    }
  } catch (error) {
    return { ...blank, findings: [await explainFailure(error, address, options)] }
  } finally {
    client.close()
  }
}

const explainFailure = async (
  error: unknown,
  address: LiteServerAddress,
  { stepMs, deadline }: ExamineOptions,
): Promise<Finding> => {
  if (error instanceof NodeRefusedError) return findings.overloaded(describeRefusal(error))
  if (error instanceof NodeAnswerError) return findings.badAnswer(error.message)
  const isUnreachable = error instanceof NodeUnavailableError || error instanceof NodeTimeoutError
  if (!isUnreachable && !deadline.aborted) throw error
  try {
    return await diagnoseConnection(address, stepMs, deadline)
  } catch (cause) {
    if (!deadline.aborted) throw cause
    return findings.unfinished()
  }
}
