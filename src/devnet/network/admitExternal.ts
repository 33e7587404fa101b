import type { TransactionRun, VirtualMachine } from '../../chain/ports.ts'
import type { Address } from '../../primitives/Address.ts'
import { getU64BE } from '../../primitives/bytes.ts'
import { CodedError } from '../../primitives/errors.ts'
import { toUpperHex } from '../../primitives/hex.ts'
import { formatShard } from '../../primitives/shard.ts'
import type { ExternalMessage } from '../collate/StepOrder.ts'
import { LiteRefusal, NOT_READY } from '../face/LiteRefusal.ts'
import type { ChainStore } from '../store/ChainStore.ts'
import { findHeadAccount, viewFromHead } from './headContext.ts'
import { refuse } from './Mempool.ts'

/** The code of a node for an external message that its contract does not accept. */
const NOT_ACCEPTED = -701
const TIMEOUT = -503
/** How much of the end of the log is told. */
const LOG_CHARACTERS = 256

export type AdmissionOptions = {
  readonly store: ChainStore
  readonly vm: Pick<VirtualMachine, 'runTransaction'>
  readonly utime: number
  readonly randomSeed: Uint8Array
}

/** Runs a message on its destination as the newest block has it, and refuses it in the words of a node where it is not accepted. */
export const admitExternal = async (
  { destination, message }: ExternalMessage,
  { store, vm, utime, randomSeed }: AdmissionOptions,
): Promise<void> => {
  const head = findHeadAccount(store, destination)
  if (head === undefined) throw refuse(NOT_READY, `no shard in masterchain state for account ${placeOf(destination)}`)
  if (head.account === undefined) throw refuse(0, 'Failed to unpack account state')
  const { config, previousBlocks, findLibrary } = viewFromHead(store)
  // A node asks at the time of the newest block. Here that may be long ago, and the next block has the time of the clock.
  const now = Math.max(head.genUtime, utime)
  const context = { config, previousBlocks, findLibrary, now, randomSeed }
  try {
    const run = await vm.runTransaction({
      account: head.account,
      cause: { kind: 'message', message },
      lt: head.genLt + 1n,
      context,
      ignoreSignatures: false,
      log: 'none',
    })
    if (run.kind === 'notAccepted') throw refuse(NOT_ACCEPTED, describeRefusal(destination, run))
  } catch (error) {
    if (error instanceof LiteRefusal || !(error instanceof CodedError)) throw error
    if (error.retryable) throw refuse(NOT_READY, 'too many pending external message checks')
    if (error.code === 'vm_timeout') throw refuse(TIMEOUT, 'timeout')
    throw refuse(0, `${COULD_NOT_RUN}${error.message}`)
  }
}

const COULD_NOT_RUN = 'External message was not accepted: cannot run message on account: '

const describeRefusal = (
  { hash }: Address,
  { exitCode, steps, reason, log }: Extract<TransactionRun, { kind: 'notAccepted' }>,
): string => {
  // The emulator has words of its own before those of the node.
  if (exitCode === undefined) return `${COULD_NOT_RUN}${reason.replace(/^cannot run message on account /, '')}`
  const lines = [
    `${COULD_NOT_RUN}inbound external message rejected by transaction ${toUpperHex(hash)}:`,
    `exitcode=${exitCode}, steps=${steps}, gas_used=0`,
    ...(log === '' ? [] : [`VM Log (truncated):\n...${log.slice(-LOG_CHARACTERS)}`]),
  ]
  return lines.join('\n')
}

const placeOf = ({ workchain, hash }: Address): string => `${workchain}:0x${formatShard(getU64BE(hash, 0))}`
