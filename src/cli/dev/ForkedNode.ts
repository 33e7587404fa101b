import { NodeUnavailableError } from '../../chain/errors.ts'
import type { LiteServerAccountId } from '../../codec/tl/liteServerTypes.ts'
import type { LiteserverFork } from '../../devnet/liteserver/LiteFunction.ts'
import { ProvenNode } from '../../node/ProvenNode.ts'
import type { RunOptions, ServerSession } from '../../node/pool/runOnServers.ts'
import type { ProvenLibraries } from '../../node/proofs/configProofs.ts'
import type { ProvenTransactionList, TransactionKey } from '../../node/proofs/transactionProofs.ts'
import { type BlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { CodedError } from '../../primitives/errors.ts'

/**
 * The liteserver of a fork in this process. An account of the forked network is imported before it is read; for an older block it
 * is read at the block that imported it, which has the same state: before that, no block changed it.
 */
export class ForkedNode extends ProvenNode {
  private readonly fork: LiteserverFork

  constructor(node: ProvenNode, fork: LiteserverFork) {
    super(node.pool, node.trust, node.shared)
    this.fork = fork
  }

  override on(session: ServerSession): ForkedNode {
    return new ForkedNode(super.on(session), this.fork)
  }

  override async getAccountState(account: LiteServerAccountId, at?: BlockIdExt, options?: RunOptions) {
    const since = await this.fork.ensure({ workchain: account.workchain, hash: account.id }).catch(toNodeError)
    const isEarlier = since > 0 && at !== undefined && at.workchain === masterchain && at.seqno < since
    const block = isEarlier ? await this.getMasterchainBlockId(since, options?.signal) : at
    return super.getAccountState(account, block, options)
  }

  /** The history of an account begins at the fork block. */
  override async getTransactions(
    account: LiteServerAccountId,
    from: TransactionKey,
    count: number,
    options?: RunOptions,
  ): Promise<ProvenTransactionList> {
    const isOurs = ({ lt }: TransactionKey): boolean => lt > this.fork.endLt
    if (!isOurs(from)) return { transactions: [], next: undefined }
    const { transactions, next } = await super.getTransactions(account, from, count, options)
    return { transactions, next: next !== undefined && isOurs(next) ? next : undefined }
  }

  override async getPublicLibraries(
    id: BlockIdExt,
    libraryList: readonly Uint8Array[],
    options?: RunOptions,
  ): Promise<ProvenLibraries> {
    const proven = await super.getPublicLibraries(id, libraryList, options)
    const fetched = await Promise.all(
      proven.missing.map(async (hash) => ({
        hash,
        library: await this.fork.fetchLibrary(hash).catch(toNodeError),
        publishers: undefined,
      })),
    )
    const added = fetched.filter(({ library }) => library !== undefined)
    return {
      ...proven,
      found: [...proven.found, ...added],
      missing: proven.missing.filter((hash) => added.every((each) => !bytesEqual(each.hash, hash))),
    }
  }
}

const toNodeError = (cause: unknown): never => {
  throw cause instanceof CodedError ? new NodeUnavailableError(cause.message, { cause }) : cause
}
