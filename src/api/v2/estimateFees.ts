import { forwardFee, gasBought, gasFee, measureMessage, storageFee } from '../../chain/fees.ts'
import type { RunContext, TransactionRun, VmLogDetail } from '../../chain/ports.ts'
import { type Cell, wholeSlice } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { CellWriter } from '../../codec/cell/CellWriter.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import { CellError } from '../../codec/cell/errors.ts'
import { readWhole, writeWhole } from '../../codec/cell/wholeCell.ts'
import { openAccount, writeAccount } from '../../codec/tlb/Account.ts'
import {
  type ConfigDict,
  type ConfigParamId,
  type ConfigParamValue,
  configDictType,
  encodeConfigParam,
  findConfigParam,
} from '../../codec/tlb/config/configParams.ts'
import { type CommonMsgInfoRelaxed, readCommonMsgInfoRelaxed } from '../../codec/tlb/Message.ts'
import { readOutList } from '../../codec/tlb/OutList.ts'
import type { ShardAccount } from '../../codec/tlb/ShardAccounts.ts'
import type { StateInit } from '../../codec/tlb/StateInit.ts'
import { readTransaction } from '../../codec/tlb/Transaction.ts'
import type { Address } from '../../primitives/Address.ts'
import { masterchain } from '../../primitives/BlockId.ts'
import { NodeClientError } from './errors.ts'
import { packExternalMessage } from './externalQuery.ts'
import { toRunContext } from './getMethods/MethodRunner.ts'
import type { AccountReading } from './readAccount.ts'
import type { V2NodeContext } from './v2Endpoint.ts'

/** A message to estimate, which is not sent. */
export type FeeRequest = {
  readonly address: Address
  readonly init: StateInit | undefined
  readonly body: Cell
  readonly ignoreSignatures: boolean
}

/** Fees of the receiver in nano units. */
export type EstimatedFees = {
  readonly inForward: bigint
  readonly storage: bigint
  readonly gas: bigint
  readonly forward: bigint
}

/**
 * Estimates fees by the rules of the original node client, which differ from those of the network: it runs the code alone, without
 * the other phases. `init` replaces the code of any account. Gas is free until the contract accepts the message; from then on the limit
 * is what the whole balance buys. An account whose balance buys no gas counts as having accepted from the start.
 */
export const estimateFees = async (
  { methods, node, vm, call }: V2NodeContext,
  reading: AccountReading,
  { address, init, body, ignoreSignatures }: FeeRequest,
): Promise<EstimatedFees> => {
  const head = await methods.heads.get(node)
  const config = new Dict(configDictType, head.config)
  const gasParam = address.workchain === masterchain ? 20 : 21
  const prices = getParam(config, gasParam)
  const before = {
    inForward: messageFee(config, address.workchain, packExternalMessage(address, init, body)),
    storage: storageDue(config, address, reading),
  }
  const gasMax = reading.found === undefined ? 0n : gasBought(prices, reading.balance.grams)
  const code = init === undefined ? reading.code : init.code
  const data = init === undefined ? reading.data : init.data
  const asGas = (used: bigint, forward = 0n): EstimatedFees => ({ ...before, gas: gasFee(prices, used), forward })
  const refused: EstimatedFees = { ...before, gas: 0n, forward: 0n }
  if (code === undefined) return gasMax === 0n ? asGas(0n) : refused

  const message = packExternalMessage(address, undefined, body)
  const importFee = messageFee(config, address.workchain, message)
  const context = toRunContext(node, head, reading.genUtime)
  const attempt = (
    balance: bigint,
    log: VmLogDetail,
    its = code,
    within: RunContext = context,
  ): Promise<TransactionRun> =>
    vm.runTransaction(
      {
        // The network deducts the import fee first; adding it makes the contract see its current balance.
        account: toShardAccount(reading, address, { code: its, data }, balance + importFee),
        cause: { kind: 'message', message },
        lt: reading.genLt + 1n,
        context: within,
        ignoreSignatures,
        foreign: init !== undefined ? 'code' : 'call',
        withActions: true,
        log,
      },
      call.signal,
    )
  const run = async (balance: bigint, log: VmLogDetail, its = code): Promise<TransactionRun> => {
    const first = await attempt(balance, log, its)
    if (first.kind === 'executed' || first.exitCode !== OUT_OF_GAS) return first
    const lenient = config.set(gasParam, encodeConfigParam(gasParam, { ...prices, gasCredit: prices.gasLimit }))
    return attempt(balance, log, its, { ...context, config: lenient.root as Cell })
  }

  if (gasMax < prices.gasLimit) {
    const lent = await run(LOAN, 'gas')
    if (lent.kind === 'notAccepted') {
      if (gasMax > 0n) return refused
      const accepted = acceptFirst(code)
      const whole = await run(LOAN, 'gas', accepted.code)
      return asGas(whole.kind === 'executed' ? readGas(whole).used - accepted.gas : 0n)
    }
    const untilAccepted = gasAtAccept(lent.log ?? '')
    if (untilAccepted > gasMax) return asGas(untilAccepted)
  }
  const done = await run(reading.balance.grams, gasMax < prices.gasLimit ? 'gas' : 'none')
  if (done.kind === 'notAccepted') return refused
  const { used, isCommitted } = readGas(done)
  return asGas(used, isCommitted ? forwardFees(config, address.workchain, done.actions) : 0n)
}

const OUT_OF_GAS = -14

/** More than any run costs. */
const LOAN = 1_000_000_000_000n

/** The code with ACCEPT in front, and the extra gas of that. */
const acceptFirst = (code: Cell): { readonly code: Cell; readonly gas: bigint } => {
  const isWithin = !code.isExotic && code.bits + 16 <= 1023
  const writer = new CellWriter().writeUint(0xf800, 16)
  if (!isWithin) return { code: writer.writeRef(code).toCell(), gas: 26n + 10n + 100n }
  return { code: writer.writeSlice(wholeSlice(code)).toCell(), gas: 26n }
}

/** Gas used when the contract accepted the message, read from the gas limit change in the VM log. */
const gasAtAccept = (log: string): bigint => {
  const found = /^changing gas limit to (?<limit>[0-9]+)$[\s\S]*?^gas remaining: (?<left>-?[0-9]+)$/m.exec(log)?.groups
  return found === undefined ? 0n : BigInt(found['limit']!) - BigInt(found['left']!)
}

type Executed = Extract<TransactionRun, { kind: 'executed' }>

const readGas = ({ transaction, log }: Executed): { readonly used: bigint; readonly isCommitted: boolean } => {
  const { description } = readWhole(transaction, readTransaction, 'A transaction')
  if (description.kind !== 'ord') throw new TypeError('Expected an ordinary transaction for a message.')
  const { computePhase } = description
  if (computePhase.kind !== 'vm') return { used: 0n, isCommitted: false }
  // The network charges at most the limit; the gas beyond it is in the log.
  const consumed = /out-of-gas exception: gas consumed=(?<gas>[0-9]+)/.exec(log ?? '')?.groups?.['gas']
  return { used: consumed === undefined ? computePhase.gasUsed : BigInt(consumed), isCommitted: computePhase.success }
}

/** What all messages together cost that a contract wants to send, whether or not it has the money for them. */
const forwardFees = (config: ConfigDict, workchain: number, actions: Cell | undefined): bigint => {
  if (actions === undefined) return 0n
  try {
    return readOutList(openCell(actions)).reduce((sum, action) => {
      if (action.kind !== 'sendMessage') return sum
      const to = destinationWorkchain(readCommonMsgInfoRelaxed(openCell(action.message)))
      return sum + messageFee(config, to === masterchain ? masterchain : workchain, action.message)
    }, 0n)
  } catch (error) {
    if (error instanceof CellError) return 0n
    throw error
  }
}

const destinationWorkchain = (info: CommonMsgInfoRelaxed): number | undefined =>
  info.kind === 'internal' && info.destination.kind === 'std' ? info.destination.workchain : undefined

const messageFee = (config: ConfigDict, workchain: number, message: Cell): bigint =>
  forwardFee(getParam(config, workchain === masterchain ? 24 : 25), measureMessage(message))

/** What storage costs since it was last paid; older debts do not count. */
const storageDue = (config: ConfigDict, { workchain }: Address, { found, genUtime }: AccountReading): bigint => {
  const account = found && openAccount(found.account)
  if (account?.kind !== 'account') return 0n
  const prices = [...getParam(config, 18).entries()].map(([, price]) => price)
  return storageFee(prices, { ...account.storage, duePayment: undefined }, workchain, genUtime)
}

const getParam = <Id extends ConfigParamId>(config: ConfigDict, id: Id): ConfigParamValue<Id> => {
  const value = findConfigParam(config, id)
  if (value === undefined) throw new NodeClientError(`The configuration has no parameter ${id}`)
  return value
}

const noHash = new Uint8Array(32)

const toShardAccount = (
  { found, balance, genUtime }: AccountReading,
  { workchain, hash }: Address,
  state: Pick<StateInit, 'code' | 'data'>,
  grams: bigint,
): ShardAccount => ({
  account: writeWhole(writeAccount, {
    kind: 'account',
    address: { kind: 'std', workchain, hash, anycast: undefined },
    storage: { used: { cells: 0n, bits: 0n }, dictHash: undefined, lastPaid: genUtime, duePayment: undefined },
    // The account's own is that of what comes next.
    lastTransLt: found === undefined ? 0n : found.lastTransaction.lt + 1n,
    balance: { ...balance, grams },
    state: {
      kind: 'active',
      init: { fixedPrefixLength: undefined, special: undefined, library: undefined, ...state },
    },
  }),
  lastTransHash: found?.lastTransaction.hash ?? noHash,
  lastTransLt: found?.lastTransaction.lt ?? 0n,
})
