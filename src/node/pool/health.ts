import { NodeRefusedError } from '../../chain/errors.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { CodedError } from '../../primitives/errors.ts'
import { wholeShard } from '../../primitives/shard.ts'
import type { AskOptions, LiteClient } from '../LiteClient.ts'
import type { PoolServer } from './PoolServer.ts'

const NOT_IN_DB = 651

export type ServerReport = {
  readonly head: BlockIdExt
  readonly lagSeconds: number | undefined
  readonly zeroStateRootHash: Uint8Array
}

/** Asks a server where it stands. Old servers do not know the extended question, which also tells the age of the block. */
export const askHead = async (client: LiteClient, options: AskOptions): Promise<ServerReport> => {
  try {
    const info = await client.ask('liteServer.getMasterchainInfoExt', { mode: 0 }, options)
    const lagSeconds = Math.max(0, info.now - info.lastUtime)
    return { head: info.last, lagSeconds, zeroStateRootHash: info.init.rootHash }
  } catch (error) {
    if (!(error instanceof NodeRefusedError) || error.retryable) throw error
    const info = await client.ask('liteServer.getMasterchainInfo', {}, options)
    return { head: info.last, lagSeconds: undefined, zeroStateRootHash: info.init.rootHash }
  }
}

/** Whether a server still has the beginning of the chain: an early block that every archive holds. */
export const probeArchival = async (client: LiteClient, timeoutMs: number): Promise<boolean | undefined> => {
  try {
    const id = { workchain: -1, shard: wholeShard, seqno: 3 }
    await client.ask('liteServer.lookupBlock', { mode: 1, id }, { timeoutMs })
    return true
  } catch (error) {
    // A server that is busy or stands behind a proxy has not said that it lacks the block.
    if (error instanceof NodeRefusedError && (!error.retryable || error.serverCode === NOT_IN_DB)) return false
    if (error instanceof CodedError) return undefined
    throw error
  }
}

/** The newest masterchain seqno that at least this share of the servers in step has reached. */
export const findConsensusSeqno = (servers: readonly PoolServer[], share = 0.6, window = 4): number | undefined => {
  const seqnos = servers.flatMap(({ condition, head }) =>
    head !== undefined && (condition === 'alive' || condition === 'behind') ? [head.seqno] : [],
  )
  if (seqnos.length === 0) return undefined
  const best = Math.max(...seqnos)
  const inStep = seqnos.filter((seqno) => seqno > best - window).sort((a, b) => b - a)
  return inStep[Math.max(0, Math.ceil(share * inStep.length) - 1)]
}

export const isOnNetwork = ({ zeroStateRootHash }: ServerReport, expected: Uint8Array | undefined): boolean =>
  expected === undefined || bytesEqual(zeroStateRootHash, expected)
