import type { Cell } from '../../codec/cell/Cell.ts'
import type { CurrencyCollection } from '../../codec/tlb/CurrencyCollection.ts'
import type { ComputePhase, ComputeSkipReason } from '../../codec/tlb/transactionPhases.ts'
import { formatRawAddress } from '../../primitives/Address.ts'
import { bytesEqual, bytesToBigint, concatBytes } from '../../primitives/bytes.ts'
import { sha256 } from '../../primitives/hash.ts'
import { VmInputError } from '../errors.ts'
import { shrink } from '../machine/bits.ts'
import { OUT_OF_GAS_EXIT } from '../machine/faults.ts'
import { type CodeResult, type CodeRun, Run } from '../machine/runCode.ts'
import { Builder, Slice, type Value } from '../machine/values.ts'
import { gasBoughtFor, gasFee, subtractExtra } from './amounts.ts'
import { exceedsStateLimits } from './stateLimits.ts'
import type { TransactionState } from './TransactionState.ts'

/** Gas that is used between two looks at whether to go on. */
const SLICE_GAS = 5_000

type GasPlan = { readonly limit: bigint; readonly max: bigint; readonly credit: bigint }

/** Accounts that once needed more gas than the limit, for transactions of that time. */
const OVERRIDES: readonly {
  readonly gas: bigint
  readonly since: number
  readonly until: number
  readonly accounts: readonly string[]
}[] = [
  {
    gas: 70_000_000n,
    since: 5,
    until: 1709164800,
    accounts: ['0:ffbfd8f5ae5b2e1c7c3614885cb02145483dfaee575f0dd08a72c366369211cd'],
  },
  {
    gas: 70_000_000n,
    since: 9,
    until: 1740787200,
    accounts: [
      '0:5e4a5f9dba638789e6770c990d2959237aca3bc19d15a734782c26cb19343cc6',
      '0:b755c43ee37925c30f547e2991e7c4c18c1ce4ec63eea5743708dbad868369fa',
      '0:61c016fc8efa241af7eb787451a1e571236dfb3eb389832aec0212c0fb8ac10b',
      '0:a4a11a78384f92154a0c12761f2f7bc5e374f703335f5bc8f24c2e32ce4f1c26',
      '0:4de480ab6acefd53c158126ef5c2cdf89fe64d210d0b44da5c90e52c215dce79',
    ],
  },
  {
    gas: 225_000_000n,
    since: 9,
    until: 1740787200,
    accounts: ['0:436a76c2794a88e3fbfec6b9c0374fc8db046f10868b835420d9937973a665d4'],
  },
]

const gasLimitOf = (tx: TransactionState): bigint => {
  const { gasLimit } = tx.config.gasPrices(tx.address.workchain)
  const { now } = tx.input
  const override = OVERRIDES.find(({ since, until }) => tx.version >= since && now < until)
  if (override === undefined) return gasLimit
  const name = formatRawAddress(tx.address)
  return (
    OVERRIDES.find(({ since, until, accounts }) => tx.version >= since && now < until && accounts.includes(name))
      ?.gas ?? gasLimit
  )
}

const planGas = (tx: TransactionState): GasPlan => {
  if (tx.input.gas !== undefined) return tx.input.gas
  const prices = tx.config.gasPrices(tx.address.workchain)
  const special = prices.specialGasLimit ?? prices.gasLimit
  const gasLimit = gasLimitOf(tx)
  const max = tx.isSpecial ? special : gasBoughtFor(prices, gasLimit, tx.balance.grams)
  let limit = max
  if (tx.isOrdinary && !(tx.isSpecial && tx.version >= 5)) {
    const bought = gasBoughtFor(prices, gasLimit, tx.messageBalance.grams)
    limit = bought < max ? bought : max
  }
  const credit = tx.message?.isExternal === true ? (prices.gasCredit < max ? prices.gasCredit : max) : 0n
  return { limit, max, credit }
}

/** Takes the state that the message brings, or says why it cannot. */
const takeMessageState = (tx: TransactionState): ComputeSkipReason | undefined => {
  const { init, cell } = tx.message!.state!
  const isNew = tx.status === 'uninit'
  const { address, version } = tx
  if (isNew && tx.config.isSuspended(address.workchain, address.hash, tx.input.now)) return 'suspended'
  const { limits } = tx.config
  const before = { code: tx.code, data: tx.data, library: tx.library }
  tx.fixedPrefixLength = init.fixedPrefixLength ?? 0
  if (init.special !== undefined) {
    tx.tick = init.special.tick
    tx.tock = init.special.tock
  }
  if (version >= 15 && isNew && init.library !== undefined) return 'bad_state'
  tx.code = init.code
  tx.data = init.data
  tx.library = init.library
  const maxLibraries = isNew && tx.isMasterchain ? 0 : limits.maxAccountPublicLibraries
  if (exceedsStateLimits(tx, maxLibraries)) {
    Object.assign(tx, before)
    return 'bad_state'
  }
  if (tx.fixedPrefixLength > 30) return 'bad_state'
  // The length of an account that exists is that of its anycast address, which none has.
  if (!isNew) return tx.fixedPrefixLength === 0 ? undefined : 'bad_state'
  if (!hasAddress(cell.hash(), address.hash, tx.fixedPrefixLength)) return 'bad_state'
  return version >= 10 && tx.fixedPrefixLength > limits.maxAccountFixedPrefixLength ? 'bad_state' : undefined
}

/** Whether a hash is an address but for the first bits. */
const hasAddress = (hash: Uint8Array, address: Uint8Array, skippedBits: number): boolean => {
  for (let k = 0; k < 32; k++) {
    const free = Math.min(8, Math.max(0, skippedBits - 8 * k))
    if (((hash[k]! ^ address[k]!) & (0xff >> free)) !== 0) return false
  }
  return true
}

/** Whether the machine is not to run, and why; takes the state of the message where that is used. */
const prepareState = (tx: TransactionState): { readonly skip?: ComputeSkipReason; readonly usesMessage?: true } => {
  const state = tx.message?.state
  const isExternal = tx.message?.isExternal === true
  const thaws =
    tx.original?.state.kind === 'frozen' &&
    state !== undefined &&
    bytesEqual(tx.original.state.stateHash, state.cell.hash())
  if (state !== undefined && (tx.status === 'uninit' || (tx.status === 'frozen' && thaws))) {
    const skip = takeMessageState(tx)
    if (skip !== undefined) return { skip }
    if (tx.version < 8 && isExternal && !bytesEqual(state.cell.hash(), tx.address.hash)) return { skip: 'bad_state' }
    return { usesMessage: true }
  }
  if (tx.status !== 'active') return { skip: state === undefined ? 'no_state' : 'bad_state' }
  const isForeign = state !== undefined && !bytesEqual(state.cell.hash(), tx.address.hash)
  return isExternal && isForeign ? { skip: 'bad_state' } : {}
}

const currencyTuple = ({ grams, extra }: CurrencyCollection): Value => [
  shrink(grams),
  (extra.root as Cell | undefined) ?? null,
]

const ADDR_NONE = Slice.of(Builder.empty.withInteger(0, 2).toCell())

const messageParams = (tx: TransactionState): Value => {
  const { message } = tx
  if (message === undefined) return [0, 0, ADDR_NONE, 0, 0, 0, 0, 0, null, null]
  const { info, source, state } = message
  const { grams, extra } = tx.messageBalance
  const left: Value[] = [shrink(grams), (extra.root as Cell | undefined) ?? null, state?.cell ?? null]
  if (info.kind === 'externalIn') return [0, 0, source, 0, 0, 0, 0, ...left]
  const { bounce, bounced, fwdFee, createdLt, createdAt, value } = info
  const flags = [bounce ? -1 : 0, bounced ? -1 : 0]
  return [...flags, source, shrink(fwdFee), shrink(createdLt), createdAt, shrink(value.grams), ...left]
}

const seedOf = (tx: TransactionState): bigint => {
  const { hash } = tx.address
  if (tx.input.accountSeed !== undefined) return bytesToBigint(tx.input.accountSeed)
  // Below version 8 the first four bytes came from a rewritten address, which is the same for all that are not anycast.
  return bytesToBigint(sha256(concatBytes([tx.input.randomSeed, hash])))
}

const contextOf = (tx: TransactionState, precompiledGas: bigint | undefined): Value => {
  const { version, config, input } = tx
  const context: Value[] = [
    0x076ef1ea,
    0,
    0,
    input.now,
    shrink(input.blockLt),
    shrink(tx.startLt),
    shrink(seedOf(tx)),
    currencyTuple(tx.balance),
    tx.addressSlice(),
    config.root,
  ]
  if (version >= 4) {
    const collected = shrink(tx.storagePhase!.storageFeesCollected)
    context.push(tx.code ?? null, currencyTuple(tx.messageBalance), collected, input.previousBlocks)
  }
  if (version >= 6) {
    context.push(config.unpacked(input.now), shrink(tx.duePayment))
    context.push(precompiledGas === undefined ? null : shrink(precompiledGas))
  }
  if (version >= 11) context.push(messageParams(tx))
  return context
}

const initialStack = (tx: TransactionState): Value[] => {
  const balance = shrink(tx.balance.grams)
  const { message, input } = tx
  if (message === undefined) {
    return [balance, shrink(bytesToBigint(tx.address.hash)), input.cause.kind === 'tock' ? -1 : 0, -2]
  }
  return [balance, shrink(tx.messageBalance.grams), message.cell, message.body, message.isExternal ? -1 : 0]
}

const librariesOf = (tx: TransactionState): Cell[] => {
  if (tx.version >= 15) return [...tx.input.libraries]
  const ofMessage = tx.status === 'active' ? tx.message?.state?.init.library : undefined
  return [ofMessage, tx.library, ...tx.input.libraries].filter((root) => root !== undefined)
}

const skipped = (reason: ComputeSkipReason): ComputePhase => ({ kind: 'skipped', reason })

const NO_HASH = new Uint8Array(32)

/** Runs the contract. Yields the gas used so far now and then, so that a caller may give way to others or stop. */
export function* runComputePhase(tx: TransactionState): Generator<number, void> {
  if (tx.version >= 9) {
    const extra = subtractExtra(tx.balance.extra, tx.messageBalance.extra) ?? tx.balance.extra
    tx.originalBalance = { grams: tx.balance.grams - tx.messageBalance.grams, extra }
  } else tx.originalBalance = { ...tx.originalBalance, grams: tx.originalBalance.grams - tx.totalFees }
  if (tx.balance.grams <= 0n) {
    tx.computePhase = skipped('no_gas')
    return
  }
  const gas = planGas(tx)
  if (gas.limit === 0n && gas.credit === 0n) {
    tx.computePhase = skipped('no_gas')
    return
  }
  const kept = {
    code: tx.code,
    data: tx.data,
    library: tx.library,
    tick: tx.tick,
    tock: tx.tock,
    fixedPrefixLength: tx.fixedPrefixLength,
  }
  const { skip, usesMessage } = prepareState(tx)
  if (skip !== undefined) {
    Object.assign(tx, kept)
    tx.computePhase = skipped(skip)
    return
  }
  const precompiled = tx.isOrdinary && tx.code !== undefined ? tx.config.precompiledGas(tx.code.hash()) : undefined
  if (precompiled !== undefined && precompiled > gas.limit) {
    Object.assign(tx, kept)
    tx.computePhase = skipped('no_gas')
    return
  }
  const run = new Run(describeRun(tx, gas, precompiled))
  let result: CodeResult | undefined
  while (result === undefined) {
    result = run.advance(SLICE_GAS)
    if (result === undefined) yield run.gasUsed
  }
  tx.run = result
  finishCompute(tx, gas, result, precompiled, usesMessage === true)
  // What a message brought is kept only by an account that accepted it.
  if (usesMessage === true && !tx.wasActivated) Object.assign(tx, kept)
}

const describeRun = (tx: TransactionState, gas: GasPlan, precompiled: bigint | undefined): CodeRun => {
  const { limits } = tx.config
  const { observer, ignoreSignatures, stopOnAccept, refusesSlow } = tx.input
  let plan = gas
  if (precompiled !== undefined) {
    const prices = tx.config.gasPrices(tx.address.workchain)
    const limit = tx.isSpecial ? (prices.specialGasLimit ?? prices.gasLimit) : prices.gasLimit
    plan = { limit, max: limit, credit: gas.credit === 0n ? 0n : limit }
  }
  return {
    version: tx.version,
    code: tx.code,
    data: tx.data,
    stack: initialStack(tx),
    c7: [contextOf(tx, precompiled)],
    gas: { limit: Number(plan.limit), max: Number(plan.max), credit: Number(plan.credit) },
    libraries: librariesOf(tx),
    maxLibraryLoads: limits.maxTransactionLibraryLoads,
    maxDataDepth: limits.maxVmDataDepth,
    ignoreSignatures: ignoreSignatures === true,
    stopOnAccept: stopOnAccept === true,
    refusesSlow: refusesSlow === true,
    observer,
  }
}

const finishCompute = (
  tx: TransactionState,
  gas: GasPlan,
  result: CodeResult,
  precompiled: bigint | undefined,
  usesMessage: boolean,
): void => {
  const { exitCode, committed, steps } = result
  const isAccepted = result.gasCredit === 0
  const success = isAccepted && committed !== undefined
  const gasUsed = precompiled ?? BigInt(Math.min(result.gasUsed, result.gasLimit))
  if (precompiled !== undefined && exitCode === OUT_OF_GAS_EXIT) {
    throw new VmInputError('A precompiled contract ran out of gas.')
  }
  if (isAccepted && usesMessage) {
    tx.wasActivated = true
    tx.status = 'active'
  }
  if (isAccepted && !tx.isSpecial) {
    tx.gasFees = gasFee(tx.config.gasPrices(tx.address.workchain), gasUsed)
    tx.addFee(tx.gasFees)
    tx.balance = { ...tx.balance, grams: tx.balance.grams - tx.gasFees }
  }
  tx.computePhase = {
    kind: 'vm',
    success,
    msgStateUsed: false,
    accountActivated: false,
    gasFees: tx.gasFees,
    gasUsed,
    gasLimit: gas.limit,
    gasCredit: gas.credit === 0n ? undefined : gas.credit,
    mode: 0,
    exitCode,
    exitArg: success ? undefined : exitArgument(result.stack),
    vmSteps: precompiled === undefined ? steps : 0,
    vmInitStateHash: NO_HASH,
    vmFinalStateHash: NO_HASH,
  }
}

/** What a transaction tells of a failed run's stack. */
export const exitArgument = (stack: readonly Value[]): number | undefined => {
  const top = stack.at(-1)
  return typeof top === 'number' && (top | 0) === top && top !== 0 ? top : undefined
}
