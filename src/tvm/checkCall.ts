import type { MethodCall, RunContext, TransactionCall } from '../chain/ports.ts'
import { openCell } from '../codec/cell/CellReader.ts'
import { encodeBoc } from '../codec/cell/encodeBoc.ts'
import { writeWhole } from '../codec/cell/wholeCell.ts'
import type { Account } from '../codec/tlb/Account.ts'
import { readCommonMsgInfo } from '../codec/tlb/Message.ts'
import { type VmStack, writeVmStack } from '../codec/tlb/VmStack.ts'
import { MAX_ARGUMENT_BYTES } from '../codec/tlb/VmValue.ts'
import { addressesEqual, formatRawAddress } from '../primitives/Address.ts'
import { VmInputError } from './errors.ts'

const MAX_TIME = 0xffff_ffff
const MAX_UINT64 = (1n << 64n) - 1n
const MAX_GAS = 1_000_000_000

/** Refuses what cannot be run, before anything of it runs. */

export const checkMethod = ({ contract, methodId, stack, gasLimit, context }: MethodCall): void => {
  checkContext(context)
  if (methodId !== (methodId | 0)) {
    throw new VmInputError(`The number of a method is a signed integer of 32 bits, but got ${methodId}.`)
  }
  if (!Number.isInteger(gasLimit) || gasLimit < 1 || gasLimit > MAX_GAS) {
    throw new VmInputError(`The gas limit of a get-method is a number from 1 to ${MAX_GAS}, but got ${gasLimit}.`)
  }
  if (contract.balance.grams > MAX_UINT64) {
    throw new VmInputError(`A balance fits 64 bits here, but got ${contract.balance.grams}.`)
  }
  if (!isSmall(stack)) checkArguments(stack)
}

/** A few numbers, which need no counting. */
const isSmall = (stack: VmStack): boolean =>
  stack.length < 64 && stack.every(({ kind }) => kind === 'int' || kind === 'null' || kind === 'nan')

const checkArguments = (stack: VmStack): void => {
  const { length } = encodeBoc([writeWhole((w, entries: VmStack) => writeVmStack(w, entries), stack)])
  if (length <= MAX_ARGUMENT_BYTES) return
  throw new VmInputError(`The arguments take ${length} bytes, the limit is ${MAX_ARGUMENT_BYTES}.`)
}

export const checkTransaction = ({ lt, cause, context }: TransactionCall, account: Account): void => {
  checkContext(context)
  if (lt < 1n || lt > MAX_UINT64)
    throw new VmInputError(`The lt of a transaction is from 1 to 2^64 - 1, but got ${lt}.`)
  if (cause.kind !== 'message') return
  const info = readCommonMsgInfo(openCell(cause.message))
  if (info.kind === 'externalOut') throw new VmInputError('A message that leaves the chain cannot be run.')
  const { destination } = info
  if (account.kind === 'none' || account.address.kind !== 'std' || destination.kind !== 'std') return
  if (addressesEqual(account.address, destination)) return
  throw new VmInputError(
    `A message to ${formatRawAddress(destination)} was to be run on account ${formatRawAddress(account.address)}.`,
  )
}

const checkContext = ({ now, randomSeed }: RunContext): void => {
  if (!Number.isInteger(now) || now < 1 || now > MAX_TIME) {
    throw new VmInputError(`The time of a run is a number of seconds from 1 to ${MAX_TIME}, but got ${now}.`)
  }
  if (randomSeed.length !== 32) {
    throw new VmInputError(`The random seed of a run has 32 bytes, but got ${randomSeed.length}.`)
  }
}
