import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import type { LiteServerAccountId } from '../../codec/tl/liteServerTypes.ts'
import { formatRawAddress } from '../../primitives/Address.ts'
import { type BlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import { bytesEqual, compareBytes } from '../../primitives/bytes.ts'
import { CodedError } from '../../primitives/errors.ts'
import { getAccountState, getAccountStatePrunned } from './accounts.ts'
import { getLibraries } from './config.ts'
import {
  type LiteFunctions,
  type LiteserverContext,
  LiteserverError,
  type LiteserverFork,
  NOT_READY,
} from './LiteFunction.ts'
import { runSmcMethod } from './runSmcMethod.ts'

type AccountRequest = { readonly id: BlockIdExt; readonly account: LiteServerAccountId }

const LATEST = -1
const MAX_LIBRARIES = 16

/**
 * Functions of a liteserver whose network is a fork: an account is imported before an answer about it. Blocks before the import
 * cannot prove the account, so requests for them are refused instead of answered with its absence.
 */
export const forkFunctions = (fork: LiteserverFork): LiteFunctions => {
  const afterImport =
    <Args extends AccountRequest, Result>(run: (context: LiteserverContext, args: Args) => Result | Promise<Result>) =>
    async (context: LiteserverContext, args: Args): Promise<Result> => {
      await expectImported(context, fork, args)
      return run(context, args)
    }
  return {
    'liteServer.getAccountState': afterImport(getAccountState),
    'liteServer.getAccountStatePrunned': afterImport(getAccountStatePrunned),
    'liteServer.runSmcMethod': afterImport(runSmcMethod),
    'liteServer.getLibraries': async (context, args) => {
      const { result } = await getLibraries(context, args)
      const missing = args.libraryList
        .slice(0, MAX_LIBRARIES)
        .filter((hash) => result.every((entry) => !bytesEqual(entry.hash, hash)))
      const fetched = await refuseUnavailable(Promise.all(missing.map((hash) => fork.fetchLibrary(hash))))
      const added = fetched.flatMap((library) =>
        library === undefined ? [] : [{ hash: library.hash(), data: encodeBoc([library]) }],
      )
      return { result: [...result, ...added].sort((a, b) => compareBytes(a.hash, b.hash)) }
    },
  }
}

const expectImported = async (
  { store }: LiteserverContext,
  fork: LiteserverFork,
  { id, account: { workchain, id: hash } }: AccountRequest,
): Promise<void> => {
  const address = { workchain, hash }
  const since = await refuseUnavailable(fork.ensure(address))
  if (since === 0 || id.seqno === LATEST) return
  const reference = id.workchain === masterchain ? id.seqno : store.index.find(id)?.masterSeqno
  if (reference === undefined || reference >= since) return
  throw new LiteserverError(
    NOT_READY,
    `account ${formatRawAddress(address)} of the forked network is in the state from masterchain block ${since} on : ask about that block or a newer one`,
  )
}

const refuseUnavailable = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    throw new LiteserverError(NOT_READY, error.message)
  }
}
