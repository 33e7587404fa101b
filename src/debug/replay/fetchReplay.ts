import { BlockNotFoundError, NodeRefusedError } from '../../chain/errors.ts'
import type { LiveChain } from '../../chain/LiveChain.ts'
import type { VirtualMachine } from '../../chain/ports.ts'
import { formatRawAddress } from '../../primitives/Address.ts'
import { StateNotKeptError, TransactionNotFoundError } from '../errors.ts'
import { type Fetching, gatherInputs, sourceOf } from './gatherInputs.ts'
import type { ReplayTarget } from './ReplayInputs.ts'
import { type Replay, type ReplayChanges, replayTransaction } from './replayTransaction.ts'

export type FetchOptions = { readonly changes?: ReplayChanges | undefined; readonly signal: AbortSignal }

/** Replays a transaction over liteservers, all answers proven. */
export const fetchReplay = async (
  chain: Pick<LiveChain, 'withNode'>,
  vm: Pick<VirtualMachine, 'runTransaction' | 'supportedVersion'>,
  target: ReplayTarget,
  { changes, signal }: FetchOptions,
): Promise<Replay> => {
  let fetching: Fetching | undefined
  try {
    return await chain.withNode({ signal }, async (node) => {
      fetching = undefined
      const inputs = await gatherInputs(node, target, (next) => {
        fetching = next
      })
      return replayTransaction(vm, inputs, sourceOf(node, inputs), { changes, signal })
    })
  } catch (error) {
    if (!(error instanceof NodeRefusedError) && !(error instanceof BlockNotFoundError)) throw error
    // Assigned in a callback, which the compiler does not see.
    const last = fetching as Fetching | undefined
    if (last !== undefined) throw new StateNotKeptError(last.block, last.what, { cause: error })
    throw new TransactionNotFoundError(
      `No block of account ${formatRawAddress(target.address)} at logical time ${target.lt} was found: ${error.message}`,
      { cause: error },
    )
  }
}
