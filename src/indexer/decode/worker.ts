import { parentPort, workerData } from 'node:worker_threads'
import type { RawBlock, RawBlockSet } from '../blockSets.ts'
import { checkRootHash, SourceAnswerError } from '../sources/checkRawBlock.ts'
import { decodePacked } from './decodeBlockSet.ts'
import { type DecodeAnswer, type DecodeJob, type JobOptions, listBuffers } from './decodeMessages.ts'
import { BlockUndecodableError, WatchedAccounts } from './findTransactions.ts'

/** The workerData of the thread. */
export type DecoderStart = { readonly watched: readonly Uint8Array[] | undefined }

const { watched: keys } = workerData as DecoderStart
const watched = keys && new WatchedAccounts(keys)

const send = (answer: DecodeAnswer, buffers: ArrayBuffer[] = []): void => parentPort!.postMessage(answer, buffers)

const answerBlockSet = (blockSet: RawBlockSet, options: JobOptions): void => {
  try {
    const decoded = decodePacked(blockSet, { ...options, watched })
    send({ kind: 'decoded', blockSet: decoded }, listBuffers(decoded))
  } catch (error) {
    // Any other error ends the thread.
    if (!(error instanceof BlockUndecodableError)) throw error
    const { workchain, shard, seqno } = error.block
    send({ kind: 'undecodable', block: { workchain, shard, seqno }, reason: error.reason })
  }
}

const findRootProblem = ({ id, bytes }: RawBlock): string | undefined => {
  try {
    checkRootHash(id, bytes)
    return undefined
  } catch (error) {
    if (!(error instanceof SourceAnswerError)) throw error
    return error.message
  }
}

parentPort!.on('message', (job: DecodeJob) => {
  if (job.kind === 'blockSet') answerBlockSet(job.blockSet, job.options)
  else send({ kind: 'root', problem: findRootProblem(job.block) })
})

send({ kind: 'ready' })
