import type { Contract } from '@ton/core'
import type { MethodCall, MethodRun } from '../chain/ports.ts'
import type { RecordOptions, VmRecording } from '../chain/recording.ts'
import type { Cell } from '../codec/cell/Cell.ts'
import { Coverage, type CoverageReport } from '../debug/coverage.ts'
import { type GasSample, type GasSnapshot, takeGasSnapshot } from '../debug/gasSnapshot.ts'
import type { SourceMap } from '../debug/sources/SourceMap.ts'
import type { Network } from '../devnet/network/createNetwork.ts'
import { ControlInputError } from '../devnet/network/errors.ts'
import { recordAccountBlock } from '../devnet/network/rerunTransaction.ts'
import { formatRawAddress } from '../primitives/Address.ts'
import { toBase64 } from '../primitives/base64.ts'
import { toAddress } from './core.ts'
import type { TracedTransaction } from './traces.ts'
import { flattenTransaction, type TestTransaction } from './transactions.ts'

/** The summary of a run, which has its coverage, and no steps. */
const SUMMARY: RecordOptions = { window: undefined, stack: 'none', registers: false, cells: false, log: false }

/** Runs of the contracts that tests have opened: gas of each, and coverage where it is wanted. */
export class ContractRuns {
  private readonly network: Network
  /** Names of opened contracts by address. */
  private readonly names = new Map<string, string>()
  private readonly samples: GasSample[] = []
  /** By the hash of the code, in base64. */
  private readonly coverages: Map<string, Coverage> | undefined

  constructor(network: Network, { coverage }: { readonly coverage: boolean }) {
    this.network = network
    this.coverages = coverage ? new Map() : undefined
  }

  /** A contract goes by the name of its wrapper. */
  name(contract: Contract): void {
    const { name } = contract.constructor
    this.names.set(formatRawAddress(toAddress(contract.address)), name === 'Object' ? 'contract' : name)
  }

  /** Adds a trace that has ended. */
  async addTrace(traced: readonly TracedTransaction[], transactions: readonly TestTransaction[]): Promise<void> {
    for (const tx of transactions) {
      const { on, gasUsed } = flattenTransaction(tx)
      const name = on && this.names.get(on.toRawString())
      if (name === undefined || gasUsed === undefined) continue
      this.samples.push({ key: `${name} ${describeMessage(tx)}`, gas: Number(gasUsed) })
    }
    if (this.coverages !== undefined) await this.record(traced)
  }

  private async record(traced: readonly TracedTransaction[]): Promise<void> {
    const { store, vm } = this.network
    /** Transactions of the trace, by block and account. */
    const groups = new Map<string, { readonly first: TracedTransaction; readonly lts: Set<bigint> }>()
    for (const each of traced) {
      const { workchain, seqno, shard } = each.block.id
      const address = formatRawAddress({ workchain, hash: each.account })
      if (!this.names.has(address)) continue
      const key = `${address} ${shard} ${seqno}`
      const group = groups.get(key) ?? { first: each, lts: new Set() }
      groups.set(key, group)
      group.lts.add(each.lt)
    }
    for (const { first, lts } of groups.values()) {
      const recorded = await recordAccountBlock(store, vm, first.block, first.account, SUMMARY)
      for (const { lt, recording } of recorded) if (lts.has(lt)) this.addCoverage(recording)
    }
  }

  private addCoverage({ code_hash: hash, summary }: VmRecording): void {
    const coverage = this.coverages?.get(hash) ?? new Coverage()
    coverage.add(summary.coverage)
    this.coverages?.set(hash, coverage)
  }

  /** Runs a get-method. */
  async runMethod(call: MethodCall, method: string): Promise<MethodRun> {
    const { vm } = this.network
    const name = this.names.get(formatRawAddress(call.contract.address))
    const recorded =
      name === undefined || this.coverages === undefined ? undefined : await vm.recordMethod(call, SUMMARY)
    if (recorded !== undefined) this.addCoverage(recorded.recording)
    const run = recorded?.run ?? (await vm.runMethod(call))
    if (name !== undefined) this.samples.push({ key: `${name} ${method}()`, gas: run.gasUsed })
    return run
  }

  gasSnapshot(): GasSnapshot {
    return takeGasSnapshot(this.samples)
  }

  async coverage(code: Cell, map: SourceMap | undefined): Promise<CoverageReport> {
    if (this.coverages === undefined) {
      throw new ControlInputError('The network does not record coverage: start it with `coverage: true`.')
    }
    const { listCode } = await import('../tvm/listCode.ts')
    const coverage = this.coverages.get(toBase64(code.hash())) ?? new Coverage()
    return coverage.report(listCode(code), map)
  }
}

/** What a contract was sent, such as `0x7e8764ef`. */
const describeMessage = (tx: TestTransaction): string => {
  const { op, inMessageBounced } = flattenTransaction(tx)
  if (tx.inMessage?.info.type === 'external-in') return 'external'
  if (tx.inMessage === null || tx.inMessage === undefined) return 'tick-tock'
  if (inMessageBounced === true) return 'bounced'
  return op === undefined ? 'without op' : `0x${op.toString(16).padStart(8, '0')}`
}
