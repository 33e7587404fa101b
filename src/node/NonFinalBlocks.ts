import { NodeRefusedError, NodeUnavailableError } from '../chain/errors.ts'
import type { PendingBlock, PendingBlockSource } from '../chain/ports.ts'
import { type BlockIdExt, masterchain } from '../primitives/BlockId.ts'
import { CodedError } from '../primitives/errors.ts'
import type { NodePool } from './pool/NodePool.ts'
import type { ServerSession } from './pool/runOnServers.ts'
import { verifyRawBlock } from './proofs/blockProofs.ts'

const TIMEOUT_MS = 5000
/** More than all shards have between two masterchain blocks. */
const MAX_BLOCKS = 256

/**
 * Shard blocks that no masterchain block names yet, from the first liteserver that shows them. The bytes are checked against the id. That
 * validators signed the block is the word of the liteserver: the protocol does not show their signatures.
 */
export class NonFinalBlocks implements PendingBlockSource {
  readonly #pool: Pick<NodePool, 'openSessions'>
  /** Name of the server that answered last: lists of different servers differ. */
  #chosen: string | undefined

  constructor(pool: Pick<NodePool, 'openSessions'>) {
    this.#pool = pool
  }

  async listPendingBlocks(
    isKnown: (id: BlockIdExt) => boolean,
    signal?: AbortSignal,
  ): Promise<readonly PendingBlock[] | undefined> {
    const sessions = this.#pool.openSessions({ signal, timeoutMs: TIMEOUT_MS })
    const chosen = sessions.filter(({ name }) => name === this.#chosen)
    const others = sessions.filter(({ name }) => name !== this.#chosen)
    let failure: CodedError | undefined
    for (const session of [...chosen, ...others]) {
      try {
        const blocks = await readBlocks(session, isKnown)
        this.#chosen = session.name
        return blocks
      } catch (error) {
        signal?.throwIfAborted()
        if (!(error instanceof CodedError)) throw error
        // A server that failed may have the answer next time; one that refuses has not.
        const isDisabled = error instanceof NodeRefusedError && !error.retryable
        failure = isDisabled ? failure : (failure ?? error)
      }
    }
    if (failure !== undefined) throw failure
    if (sessions.length === 0) throw new NodeUnavailableError('No liteserver is in sync.')
    return undefined
  }
}

const readBlocks = async (session: ServerSession, isKnown: (id: BlockIdExt) => boolean): Promise<PendingBlock[]> => {
  const { signedBlocks } = await session.query('liteServer.nonfinal.getPendingShardBlocks', { mode: 0 })
  const ids = signedBlocks.filter(({ workchain }) => workchain !== masterchain).slice(0, MAX_BLOCKS)
  const read = async (id: BlockIdExt): Promise<PendingBlock[]> => {
    const bytes = isKnown(id) ? undefined : await readBytes(session, id)
    return bytes === 'gone' ? [] : [{ id, bytes }]
  }
  return (await Promise.all(ids.map(read))).flat()
}

/** A block may be replaced between the list and this query. */
const readBytes = async (session: ServerSession, id: BlockIdExt): Promise<Uint8Array | 'gone'> => {
  try {
    const answer = await session.query('liteServer.getBlock', { id })
    verifyRawBlock(id, answer)
    return answer.data
  } catch (error) {
    if (error instanceof NodeRefusedError) return 'gone'
    throw error
  }
}
