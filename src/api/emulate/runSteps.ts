import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { CellError } from '../../codec/cell/errors.ts'
import { readWhole } from '../../codec/cell/wholeCell.ts'
import { readMessage } from '../../codec/tlb/Message.ts'
import { findStandardAddress } from '../../codec/tlb/MsgAddress.ts'
import type { EmulatedTransaction, RefusedRun, UndeliveredMessage } from '../../emulate/emulate.ts'
import { EmulationTimeoutError, NotAcceptedError } from '../../emulate/errors.ts'
import { startsOf } from '../../emulate/records.ts'
import type { Snapshot } from '../../emulate/Simulation.ts'
import { toAddrStd, writeInternal, writeTonConnectMessage } from '../../emulate/walletMessages.ts'
import { addressKeyOf } from '../../primitives/Address.ts'
import { CodedError } from '../../primitives/errors.ts'
import type { PendingTraces } from '../../store/reader/pending.ts'
import { type Ran, type ShownArguments, toEmulationView } from './answers.ts'
import type { EmulateParts, OpenedWorld } from './EmulateContext.ts'
import { type IgnoredSignatures, UnreadableBocError } from './params.ts'
import type { ReadTonConnect, SimulationStep } from './steps.ts'
import { type EmulationView, toStackEntry } from './views.ts'

/** Refuses what no account could receive. */
export const expectMessage = (cell: Cell): Cell => {
  try {
    const { info } = readWhole(cell, readMessage, 'A message')
    const to = info.kind === 'externalOut' ? undefined : findStandardAddress(info.destination)
    if (to !== undefined) return cell
    throw new UnreadableBocError(`in msg found with no destination: ${info.kind}`)
  } catch (error) {
    if (!(error instanceof CellError)) throw error
    throw new UnreadableBocError(`in msg found with no destination: ${error.message}`)
  }
}

/** Runs a message, by request after those that are pending for its receiver. */
export const runMessage = async (
  { simulation, limits }: OpenedWorld,
  message: Cell,
  ignoreSignatures: IgnoredSignatures,
  pending?: PendingTraces,
): Promise<Ran> => {
  const to = destinationOf(message)
  if ((await simulation.findAccount(to)) === undefined) throw new UnreadableBocError('no shard found for message')
  for (const { transactions } of (await pending?.find({ accounts: [addressKeyOf(to)] })) ?? []) {
    // One that is refused by now is not pending any more.
    for (const start of startsOf(transactions))
      await simulation.run(start, { ignoreSignatures: 'none', limits: limits() })
  }
  const before = await simulation.snapshot()
  const own = limits()
  const emulation = await simulation.run(message, { ignoreSignatures, limits: own })
  if (emulation.refused !== undefined) throw new NotAcceptedError(emulation.refused)
  if (emulation.transactions.length === 0) throw new EmulationTimeoutError(Math.round(own.timeMs))
  return { message, emulation, before }
}

const destinationOf = (message: Cell) => {
  const { info } = readMessage(openCell(message))
  const to = info.kind === 'externalOut' ? undefined : findStandardAddress(info.destination)
  if (to === undefined) throw new UnreadableBocError('in msg found with no destination')
  return to
}

const VALID_SECONDS = 300

/** The message that the wallet would get in this world. */
export const composeMessage = async ({ simulation }: OpenedWorld, request: ReadTonConnect): Promise<Cell> => {
  const wallet = await simulation.findAccount(request.from)
  if (wallet === undefined) throw new UnreadableBocError('no shard found for message')
  const now = simulation.nowOf(wallet)
  const { validUntil = now + VALID_SECONDS } = request
  return writeTonConnectMessage({ ...request, validUntil }, wallet.current)
}

type StepResult = {
  ok: boolean
  result?: unknown
  error?: string
  code?: string
  exit_code?: number
}

/** What the steps so far did. */
type Totals = {
  readonly transactions: EmulatedTransaction[]
  /** The first transaction of each step. */
  readonly roots: EmulatedTransaction[]
  readonly undelivered: UndeliveredMessage[]
  /** External messages that no contract accepted. */
  readonly refused: RefusedRun[]
}

type StepOptions = {
  readonly ignored: IgnoredSignatures
  /** Where the receivers of messages have pending ones, those run first. */
  readonly pending?: PendingTraces | undefined
}

type Ordered = StepOptions & {
  readonly steps: readonly SimulationStep[]
  /** Whether the steps after one that failed are skipped. */
  readonly stops: boolean
}

export type SimulatedSteps = Totals & {
  readonly results: readonly StepResult[]
  /** How many transactions and refused messages there were after each step. */
  readonly ends: readonly { readonly transactions: number; readonly refused: number }[]
  /** The world before the first step. */
  readonly before: Snapshot
}

/** Runs steps one after the other in the same world. */
export const runSteps = async (
  parts: EmulateParts,
  world: OpenedWorld,
  { steps, stops, ...options }: Ordered,
  args: ShownArguments,
): Promise<SimulatedSteps> => {
  const before = await world.simulation.snapshot()
  const totals: Totals = { transactions: [], roots: [], undelivered: [], refused: [] }
  const results: StepResult[] = []
  const ends: { transactions: number; refused: number }[] = []
  for (const step of steps) {
    const hasFailed = stops && results.some(({ ok }) => !ok)
    results.push(hasFailed ? { ok: false, code: 'skipped' } : await runStep(parts, world, step, options, args, totals))
    ends.push({ transactions: totals.transactions.length, refused: totals.refused.length })
  }
  return { ...totals, results, ends, before }
}

/** Failures of a step are its result, unless nodes or time are to blame. */
const runStep = async (
  parts: EmulateParts,
  world: OpenedWorld,
  step: SimulationStep,
  options: StepOptions,
  args: ShownArguments,
  totals: Totals,
): Promise<StepResult> => {
  try {
    const result = await answerStep(parts, world, step, options, args, totals)
    return { ok: true, ...(result !== undefined && { result }) }
  } catch (error) {
    if (!(error instanceof CodedError) || /^(node_|proof_|deadline)/.test(error.code)) throw error
    if (!(error instanceof NotAcceptedError)) return { ok: false, error: error.message, code: error.code }
    const { message, code, exitCode, run } = error
    totals.refused.push(run)
    return { ok: false, error: message, code, ...(exitCode !== undefined && { exit_code: exitCode }) }
  }
}

const answerStep = async (
  parts: EmulateParts,
  world: OpenedWorld,
  step: SimulationStep,
  { ignored, pending }: StepOptions,
  args: ShownArguments,
  totals: Totals,
): Promise<unknown> => {
  const { simulation } = world
  const show = async (ran: Ran): Promise<EmulationView> => {
    totals.transactions.push(...ran.emulation.transactions)
    totals.roots.push(...ran.emulation.transactions.slice(0, 1))
    totals.undelivered.push(...(ran.emulation.undelivered ?? []))
    return toEmulationView(parts, world, ran, args)
  }
  switch (step.kind) {
    case 'message':
      return show(await runMessage(world, expectMessage(step.cell), ignored, pending))
    case 'internal':
      return show(await runMessage(world, writeInternal(toAddrStd(step.message.from), step.message), ignored, pending))
    case 'external': {
      const own = ignored === 'none' ? step.ignoreSignatures : ignored
      return show(await runMessage(world, expectMessage(step.cell), own, pending))
    }
    case 'tonConnect':
      return show(await runMessage(world, await composeMessage(world, step.request), 'all', pending))
    case 'method': {
      const { exitCode, gasUsed, stack } = await simulation.runMethod(step.address, step.method, step.stack)
      return { gas_used: gasUsed, exit_code: exitCode, stack: stack.map(toStackEntry) }
    }
    case 'advance':
      simulation.advance(step.seconds, step.blocks)
      return undefined
    case 'override':
      await simulation.override(step.overrides)
      return undefined
    case 'tickTock': {
      const before = await simulation.snapshot()
      const run = { ignoreSignatures: 'none', limits: world.limits() } as const
      const emulation = await simulation.runTickTock(step.address, step.isTock ? 'tock' : 'tick', run)
      return show({ message: undefined, emulation, before })
    }
  }
}
