import { forwardFee } from '../../../chain/fees/forwardFee.ts'
import { measureMessage } from '../../../chain/fees/measureMessage.ts'
import { storageFee } from '../../../chain/fees/storageFee.ts'
import type { TransactionRun } from '../../../chain/ports.ts'
import type { Cell } from '../../../codec/cell/Cell.ts'
import { Dict } from '../../../codec/cell/Dict.ts'
import { readWhole, writeWhole } from '../../../codec/cell/wholeCell.ts'
import { type ExistingAccount, openAccount, writeAccount } from '../../../codec/tlb/Account.ts'
import { type ConfigDict, configDictType } from '../../../codec/tlb/ConfigParams.ts'
import { ZERO_CURRENCY } from '../../../codec/tlb/CurrencyCollection.ts'
import { type ConfigParamId, type ConfigParamValue, findConfigParam } from '../../../codec/tlb/config/configParams.ts'
import { stateInitHash } from '../../../codec/tlb/normalizedHash.ts'
import type { StateInit } from '../../../codec/tlb/StateInit.ts'
import { readTransaction } from '../../../codec/tlb/Transaction.ts'
import type { Address } from '../../../primitives/Address.ts'
import { masterchain } from '../../../primitives/BlockId.ts'
import { bytesEqual } from '../../../primitives/bytes.ts'
import { toRunContext } from '../methods/HeadContexts.ts'
import { NodeClientError } from '../NodeClientError.ts'
import type { AccountReading } from '../readAccount.ts'
import type { V2NodeContext } from '../V2Context.ts'
import { packExternalMessage } from './externalMessage.ts'

/** A message that is not sent. */
export type FeeQuestion = {
  readonly address: Address
  readonly init: StateInit | undefined
  readonly body: Cell
  readonly ignoreSignatures: boolean
}

/** What it would cost the receiver, in nanograms. */
export type EstimatedFees = {
  readonly inForward: bigint
  readonly storage: bigint
  readonly gas: bigint
  readonly forward: bigint
}

/** What an account is taken to own that cannot even pay for the message to be read. */
const LOAN = 1_000_000_000_000n

/**
 * Runs a message on an account as the network would, and tells what it would take for it. An account that cannot pay is
 * taken for one that can: the estimate is wanted before there is money on it.
 */
export const estimateFees = async (
  { methods, node, vm, call }: V2NodeContext,
  account: AccountReading,
  { address, init, body, ignoreSignatures }: FeeQuestion,
): Promise<EstimatedFees> => {
  const head = await methods.heads.get(node)
  const config = new Dict(configDictType, head.config)
  const message = packExternalMessage(address, init, body)
  const subject = prepareAccount(account, address, init)
  const owed = feesBefore(config, subject, message, address, account.genUtime)
  const canPay = subject.balance.grams >= owed.storage + owed.inForward
  const payer = canPay ? subject : { ...subject, balance: { ...subject.balance, grams: owed.storage + LOAN } }
  const last = account.found?.lastTransaction
  const run = await vm.runTransaction(
    {
      account: {
        account: writeWhole(writeAccount, payer),
        lastTransHash: last?.hash ?? new Uint8Array(32),
        lastTransLt: last?.lt ?? 0n,
      },
      cause: { kind: 'message', message },
      lt: account.genLt + 1n,
      context: toRunContext(node, head, account.genUtime),
      ignoreSignatures,
      log: 'none',
    },
    call.signal,
  )
  if (run.kind === 'executed') return feesOf(run)
  const hasCode = (subject.state.kind === 'active' ? subject.state.init.code : init?.code) !== undefined
  const flatGas = getParam(config, address.workchain === masterchain ? 20 : 21).flat?.price ?? 0n
  return { ...owed, gas: hasCode ? 0n : flatGas, forward: 0n }
}

/**
 * The account that the message comes to. Where there is no contract yet, code and data may come with the message even if
 * they are not those that the address was made from: then they are taken as being there already.
 */
const prepareAccount = (
  { found, genUtime }: AccountReading,
  address: Address,
  init: StateInit | undefined,
): ExistingAccount => {
  const opened = found && openAccount(found.account)
  const account = opened?.kind === 'account' ? opened : emptyAccount(address, genUtime)
  if (init === undefined || account.state.kind === 'active') return account
  const named = account.state.kind === 'frozen' ? account.state.stateHash : address.hash
  return bytesEqual(stateInitHash(init), named) ? account : { ...account, state: { kind: 'active', init } }
}

const emptyAccount = ({ workchain, hash }: Address, now: number): ExistingAccount => ({
  kind: 'account',
  address: { kind: 'std', workchain, hash, anycast: undefined },
  storage: { used: { cells: 0n, bits: 0n }, dictHash: undefined, lastPaid: now, duePayment: undefined },
  lastTransLt: 0n,
  balance: ZERO_CURRENCY,
  state: { kind: 'uninit' },
})

/** What is taken before the contract runs. */
const feesBefore = (
  config: ConfigDict,
  { storage }: ExistingAccount,
  message: Cell,
  { workchain, hash }: Address,
  now: number,
): Pick<EstimatedFees, 'inForward' | 'storage'> => {
  const isMasterchain = workchain === masterchain
  if (isMasterchain && isSpecial(config, hash)) return { inForward: 0n, storage: 0n }
  const prices = [...getParam(config, 18).entries()].map(([, price]) => price)
  return {
    inForward: forwardFee(getParam(config, isMasterchain ? 24 : 25), measureMessage(message)),
    storage: storageFee(prices, storage, workchain, now),
  }
}

/** Contracts that the network itself needs pay nothing. */
const isSpecial = (config: ConfigDict, hash: Uint8Array): boolean => {
  const configContract = findConfigParam(config, 0)
  if (configContract !== undefined && bytesEqual(configContract, hash)) return true
  return findConfigParam(config, 31)?.find(hash) === true
}

const feesOf = ({ transaction }: Extract<TransactionRun, { kind: 'executed' }>): EstimatedFees => {
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

const getParam = <Id extends ConfigParamId>(config: ConfigDict, id: Id): ConfigParamValue<Id> => {
  const value = findConfigParam(config, id)
  if (value === undefined) throw new NodeClientError(`The configuration has no parameter ${id}`)
  return value
}
