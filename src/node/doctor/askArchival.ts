import { NodeRefusedError } from '../../chain/errors.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { CodedError } from '../../primitives/errors.ts'
import { wholeShard } from '../../primitives/shard.ts'
import type { LiteClient } from '../LiteClient.ts'
import { isPassing } from './describeRefusal.ts'

// Every archive has it, and no node keeps it by accident.
const EARLY_SEQNO = 3

/** Whether a server has the beginning of the chain; `undefined` where it does not say, or the chain is not that long. */
export const askArchival = async (
  client: LiteClient,
  head: BlockIdExt,
  signal: AbortSignal,
): Promise<boolean | undefined> => {
  if (head.seqno < EARLY_SEQNO) return undefined
  const id = { workchain: -1, shard: wholeShard, seqno: EARLY_SEQNO }
  try {
    await client.ask('liteServer.lookupBlock', { mode: 1, id }, { signal })
    return true
  } catch (error) {
    if (error instanceof NodeRefusedError) return isPassing(error) ? undefined : false
    if (error instanceof CodedError || signal.aborted) return undefined
    throw error
  }
}
