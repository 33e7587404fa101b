import type { Cell } from '../../../codec/cell/Cell.ts'
import { Dict } from '../../../codec/cell/Dict.ts'
import { readWhole, writeWhole } from '../../../codec/cell/wholeCell.ts'
import { type ExistingAccount, writeAccount } from '../../../codec/tlb/Account.ts'
import { configDictType } from '../../../codec/tlb/ConfigParams.ts'
import type { ShardAccount } from '../../../codec/tlb/ShardAccount.ts'
import type { StateInit } from '../../../codec/tlb/StateInit.ts'
import { readTransaction } from '../../../codec/tlb/Transaction.ts'
import type { Address } from '../../../primitives/Address.ts'
import { toRunContext } from '../methods/HeadContexts.ts'
import type { AccountReading } from '../readAccount.ts'
import type { V2NodeContext } from '../V2Context.ts'
import { packExternalMessage } from './externalMessage.ts'
import { type FeesBefore, feesBefore, flatGasPrice } from './feesBefore.ts'
import { payingAccount } from './payingAccount.ts'

/** A message that is not sent. */
export type FeeQuestion = {
  readonly address: Address
  readonly init: StateInit | undefined
  readonly body: Cell
  readonly ignoreSignatures: boolean
}

/** What it would cost the receiver, in nanograms. */
export type EstimatedFees = FeesBefore & { readonly gas: bigint; readonly forward: bigint }

/**
 * Runs a message on an account as the network would, and tells what it would take for it. An account that cannot pay for the
 * message to be read at all is taken for one that can: the estimate is wanted before there is money on it.
 */
export const estimateFees = async (
  { methods, node, vm, call }: V2NodeContext,
  reading: AccountReading,
  { address, init, body, ignoreSignatures }: FeeQuestion,
): Promise<EstimatedFees> => {
  const head = await methods.heads.get(node)
  const config = new Dict(configDictType, head.config)
  const { account, isReplaced } = payingAccount(reading, address, init)
  const message = packExternalMessage(address, init, body)
  const before = feesBefore(config, address, account.storage, message, reading.genUtime)
  const run = await vm.runTransaction(
    {
      account: toShardAccount(withMeans(account, before), reading),
      cause: { kind: 'message', message: isReplaced ? packExternalMessage(address, undefined, body) : message },
      lt: reading.genLt + 1n,
      context: toRunContext(node, head, reading.genUtime),
      ignoreSignatures,
      foreign: reading.code === undefined ? 'code' : 'call',
      log: 'none',
    },
    call.signal,
  )
  if (run.kind === 'executed') return { ...feesOf(run.transaction), ...(isReplaced && { inForward: before.inForward }) }
  const hasCode = (account.state.kind === 'active' ? account.state.init : init)?.code !== undefined
  return { ...before, gas: hasCode ? 0n : flatGasPrice(config, address), forward: 0n }
}

/** More than any message costs. */
const LOAN = 1_000_000_000_000n

const withMeans = (account: ExistingAccount, { storage, inForward }: FeesBefore): ExistingAccount =>
  account.balance.grams >= storage + inForward
    ? account
    : { ...account, balance: { ...account.balance, grams: storage + LOAN } }

const noHash = new Uint8Array(32)

const toShardAccount = (account: ExistingAccount, { found }: AccountReading): ShardAccount => ({
  account: writeWhole(writeAccount, account),
  lastTransHash: found?.lastTransaction.hash ?? noHash,
  lastTransLt: found?.lastTransaction.lt ?? 0n,
})

const feesOf = (transaction: Cell): EstimatedFees => {
  const { description, totalFees } = readWhole(transaction, readTransaction, 'A transaction')
  if (description.kind !== 'ord') throw new TypeError('A message came to a transaction of another kind.')
  const { storagePhase, computePhase, action } = description
  const collected = storagePhase?.storageFeesCollected ?? 0n
  const gas = computePhase.kind === 'vm' ? computePhase.gasFees : 0n
  return {
    inForward: totalFees.grams - collected - gas - (action?.totalActionFees ?? 0n),
    storage: collected + (storagePhase?.storageFeesDue ?? 0n),
    gas,
    forward: action?.totalFwdFees ?? 0n,
  }
}
