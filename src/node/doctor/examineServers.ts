import {
  NodeAnswerError,
  NodeRefusedError,
  NodeTimeoutError,
  NodeUnavailableError,
  ProofFailedError,
} from '../../chain/errors.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import type { LiteServerAddress } from '../../primitives/LiteServerAddress.ts'
import { LiteClient } from '../LiteClient.ts'
import type { Examination, ExamineOptions } from './Examination.ts'
import { type Finding, findings } from './Finding.ts'
import {
  describeRefusal,
  isOfNetwork,
  isPassing,
  judgeCondition,
  queryArchival,
  queryCondition,
} from './judgeCondition.ts'
import { probeConnection } from './probeConnection.ts'
import { proveHead } from './proveHead.ts'

export type DoctorOptions = {
  readonly zeroState: BlockIdExt | undefined
  readonly anchor: BlockIdExt | undefined
  /** A key block that was proven from the anchor in an earlier run. */
  readonly trusted: BlockIdExt | undefined
  readonly stepMs: number
  /** Overall time limit. */
  readonly limitMs: number
  readonly signal: AbortSignal
}

/** Examines all servers concurrently. */
export const examineServers = (
  servers: readonly LiteServerAddress[],
  { zeroState, anchor, trusted, stepMs, limitMs, signal }: DoctorOptions,
): Promise<readonly Examination[]> => {
  const endsAt = performance.now() + limitMs
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(limitMs)])
  const keyBlock = trusted !== undefined && anchor !== undefined && trusted.seqno > anchor.seqno ? trusted : anchor
  const options = {
    zeroState,
    anchor,
    proven: keyBlock === undefined ? undefined : { keyBlock },
    stepMs,
    deadline,
    isTimeUp: () => deadline.aborted || performance.now() >= endsAt,
  }
  return Promise.all(servers.map((address) => examineServer(address, options)))
}

/** Diagnoses a failed connection. */
const diagnoseConnection = async (
  address: LiteServerAddress,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Finding> => {
  const outcome = await probeConnection(address, timeoutMs, signal)
  switch (outcome) {
    case 'unknown_host':
      return findings.unknown_host()
    case 'refused':
      return findings.refused()
    case 'unreachable':
      return findings.unreachable()
    case 'closed':
      return findings.wrongKey('It closes the connection at the handshake: wrong key.')
    case 'silent':
      return findings.wrongKey(
        'It accepts the connection but does not answer the handshake: wrong key, or not a liteserver.',
      )
    case 'bad_key':
      return findings.wrongKey('The configured key is not a valid public key.')
    case 'garbled':
      return findings.notALiteserver()
    case 'ready':
      return findings.noAnswer('It accepts the connection and the key, but does not answer requests.')
  }
}

export type ChainExamination = { readonly provenSeqno: number | undefined; readonly findings: readonly Finding[] }

/** Checks whether a server can prove its newest block from the anchor; skipped without an anchor. */
const examineChain = async (
  client: LiteClient,
  head: BlockIdExt,
  { anchor, proven, deadline, isTimeUp }: ExamineOptions,
): Promise<ChainExamination> => {
  const stuck = (finding: Finding): ChainExamination => ({ provenSeqno: undefined, findings: [finding] })
  if (anchor === undefined) return { provenSeqno: undefined, findings: [] }
  if (head.seqno < anchor.seqno) return stuck(findings.behindAnchor(head.seqno, anchor))
  try {
    const { reached, refusal } = await proveHead((kind, args) => client.query(kind, args, { signal: deadline }), {
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
      return stuck(findings.noAnswer('It does not answer the request for a proof of its newest block.'))
    }
    throw error
  }
}

/** Examines one server from the connection up, until a fault makes the rest pointless. */
const examineServer = async (address: LiteServerAddress, options: ExamineOptions): Promise<Examination> => {
  const { zeroState, stepMs, deadline } = options
  const client = new LiteClient(address, { connectTimeoutMs: stepMs, timeoutMs: stepMs })
  const blank = { address, condition: undefined, archival: undefined, provenSeqno: undefined }
  try {
    const condition = await queryCondition(client, deadline)
    if (!isOfNetwork(condition, zeroState)) return { ...blank, condition, findings: [findings.wrongNetwork()] }
    const [archival, chain] = await Promise.all([
      queryArchival(client, condition.head, deadline),
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
