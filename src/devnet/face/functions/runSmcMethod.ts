import type { Cell } from '../../../codec/cell/Cell.ts'
import { encodeBoc } from '../../../codec/cell/encodeBoc.ts'
import { wrapMerkleProof } from '../../../codec/cell/merkle.ts'
import { encodeVmStack, type VmStack } from '../../../codec/tlb/VmStack.ts'
import { REQUEST_VM_STACK_LIMITS, VmStackLimitError } from '../../../codec/tlb/VmValue.ts'
import { toHex } from '../../../primitives/hex.ts'
import { encodeFullC7, encodeShortC7 } from '../initC7.ts'
import type { LiteFunction } from '../LiteFunction.ts'
import { LiteRefusal, REQUEST_ERROR } from '../LiteRefusal.ts'
import { findAccount, locateAccount, proveAccount } from '../locateAccount.ts'
import { prove, proveLoaded } from '../merkle.ts'
import { readMethodParams } from '../methodParams.ts'
import { type MethodOutcome, openActiveAccount, runMethod } from '../methodRun.ts'
import { NO_BLOCK } from '../referenceBlock.ts'

const WITH_PROOFS = 1
const WITH_STATE_PROOF = 2
const WITH_RESULT = 4
const WITH_C7 = 8
const WITH_LIB_EXTRAS = 16
const FULL_C7 = 32
const KNOWN_MODES = 0x3f

/** Exit code for an account that is not there, or has no code to run. */
const NO_CODE = -0x100
const NO_BYTES = new Uint8Array()

/** Runs a get-method on an account as it is after a block. */
export const runSmcMethod: LiteFunction<'liteServer.runSmcMethod'> = async (context, question) => {
  const { mode, id, account, methodId, params } = question
  if ((mode & ~KNOWN_MODES) !== 0) throw new LiteRefusal(REQUEST_ERROR, 'unsupported mode in runSmcMethod')
  const stack = readMethodParams(params)
  const place = locateAccount(context.store, id, account)
  const cell = place.holder && findAccount(place.holder.state, account)?.account
  const active = cell && openActiveAccount(cell)
  const withProof = (mode & WITH_STATE_PROOF) !== 0
  const outcome = active && (await runMethod(context, place, active, { methodId, stack, withLoadedCells: withProof }))
  return {
    mode,
    id: place.reference.id,
    shardblk: place.holder?.id ?? NO_BLOCK,
    ...((mode & WITH_PROOFS) === 0 ? {} : proveAccount(place, account)),
    stateProof: !withProof ? undefined : encodeStateProof(cell, outcome),
    initC7: (mode & WITH_C7) === 0 ? undefined : encodeC7(outcome, mode),
    libExtras: (mode & WITH_LIB_EXTRAS) === 0 ? undefined : NO_BYTES,
    exitCode: outcome?.exitCode ?? NO_CODE,
    result: encodeResult(outcome?.stack, mode),
  }
}

/** What was read of the account to run its method, and what the machine loaded. */
const encodeStateProof = (account: Cell | undefined, outcome: MethodOutcome | undefined): Uint8Array => {
  if (account === undefined) return NO_BYTES
  if (outcome === undefined) return encodeBoc([prove(account, () => {}).proof])
  const loaded = outcome.loadedCells
  if (loaded === undefined) return encodeBoc([wrapMerkleProof(account)])
  return encodeBoc([proveLoaded(account, openActiveAccount, (cell) => loaded.has(toHex(cell.hash())))])
}

const encodeC7 = (outcome: MethodOutcome | undefined, mode: number): Uint8Array => {
  if (outcome === undefined) return NO_BYTES
  return (mode & FULL_C7) === 0 ? encodeShortC7(outcome.described) : encodeFullC7(outcome.described)
}

/** A result that cannot be written is refused even where it is not asked for. */
const encodeResult = (stack: VmStack | undefined, mode: number): Uint8Array | undefined => {
  try {
    const bytes = stack === undefined ? NO_BYTES : encodeVmStack(stack, REQUEST_VM_STACK_LIMITS)
    return (mode & WITH_RESULT) === 0 ? undefined : bytes
  } catch (error) {
    if (error instanceof VmStackLimitError) throw new LiteRefusal(REQUEST_ERROR, 'cannot serialize resulting stack')
    throw error
  }
}
