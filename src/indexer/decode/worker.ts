import { parentPort, workerData } from 'node:worker_threads'
import { type DecodeAnswer, type DecodeJob, listBuffers } from './decodeMessages.ts'
import { decodeUnit } from './decodeUnit.ts'
import { BlockUndecodableError } from './errors.ts'
import { WatchedAccounts } from './WatchedAccounts.ts'

/** What the thread is started with. */
export type DecoderStart = { readonly watched: readonly Uint8Array[] | undefined }

const { watched: keys } = workerData as DecoderStart
const watched = keys && new WatchedAccounts(keys)

const send = (answer: DecodeAnswer, buffers: ArrayBuffer[] = []): void => parentPort!.postMessage(answer, buffers)

parentPort!.on('message', ({ unit, options }: DecodeJob) => {
  try {
    const decoded = decodeUnit(unit, { ...options, watched })
    send({ kind: 'decoded', unit: decoded }, listBuffers(decoded))
  } catch (error) {
    // Anything else ends the thread.
    if (!(error instanceof BlockUndecodableError)) throw error
    const { workchain, shard, seqno } = error.block
    send({ kind: 'undecodable', block: { workchain, shard, seqno }, reason: error.reason })
  }
})

send({ kind: 'ready' })
