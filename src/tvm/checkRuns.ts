import type { MethodCall, MethodRun, TransactionCall, TransactionRun } from '../chain/ports.ts'
import { encodeVmStack } from '../codec/tlb/VmStack.ts'
import type { Logger } from '../observe/Logger.ts'
import { formatRawAddress } from '../primitives/Address.ts'
import { toHex } from '../primitives/hex.ts'
import type { Emulator } from './emulator/createEmulator.ts'
import type { KnownConfigs } from './KnownConfigs.ts'

export type CheckStats = {
  readonly checked: number
  readonly different: number
  /** Runs that the emulator could not make. */
  readonly failed: number
}

/** Checks that may wait for the emulator; further ones are left out. */
const MAX_WAITING = 16

/**
 * Runs a share of all runs on the emulator as well, after they have been answered, and reports what comes out differently. Runs of
 * global versions that the emulator does not know are left alone.
 */
export class RunChecks {
  private readonly rate: number
  private readonly emulator: Promise<Emulator>
  private readonly configs: KnownConfigs
  private readonly logger: Logger
  private due = 0
  private waiting = 0
  private counts = { checked: 0, different: 0, failed: 0 }

  constructor(rate: number, emulator: Promise<Emulator>, configs: KnownConfigs, logger: Logger) {
    this.rate = rate
    this.emulator = emulator
    this.configs = configs
    this.logger = logger
    emulator.catch((error: unknown) =>
      logger.warn('emulator not available, runs are not checked; install @ton/sandbox', { error }),
    )
  }

  get stats(): CheckStats {
    return this.counts
  }

  checkMethod(call: MethodCall, run: MethodRun): void {
    if (!this.isDue(call)) return
    this.compare({ account: formatRawAddress(call.contract.address), method: call.methodId }, async (emulator) => {
      const theirs = await emulator.runMethod({ ...call, log: 'none' })
      return [describeMethod(run), describeMethod(theirs)]
    })
  }

  checkTransaction(call: TransactionCall, run: TransactionRun): void {
    if (!this.isDue(call)) return
    const account = toHex(call.account.account.hash())
    this.compare({ account, lt: call.lt.toString() }, async (emulator) => {
      const theirs = await emulator.runTransaction({ ...call, log: 'none' })
      return [describeTransaction(run), describeTransaction(theirs)]
    })
  }

  async close(): Promise<void> {
    const emulator = await this.emulator.catch(() => undefined)
    await emulator?.close()
  }

  /** Every so many runs, not at random: that can be repeated. */
  private isDue({ context: { config } }: MethodCall | TransactionCall): boolean {
    this.due += this.rate
    if (this.due < 1) return false
    this.due -= 1
    return this.waiting < MAX_WAITING && this.configs.get(config).version <= EMULATOR_VERSION
  }

  private compare(
    which: Readonly<Record<string, string | number>>,
    run: (emulator: Emulator) => Promise<readonly [ours: string, theirs: string]>,
  ): void {
    this.waiting++
    this.emulator
      .then(run)
      .then(([ours, theirs]) => {
        this.counts.checked++
        if (ours === theirs) return
        this.counts.different++
        this.logger.warn('run differs from emulator', { ...which, ours, emulator: theirs })
      })
      .catch(() => {
        this.counts.failed++
      })
      .finally(() => {
        this.waiting--
      })
  }
}

/** The newest global version whose rules the emulator knows. */
const EMULATOR_VERSION = 13

const describeMethod = ({ exitCode, gasUsed, stack }: MethodRun): string =>
  `exit ${exitCode}, gas ${gasUsed}, stack ${toHex(encodeVmStack(stack))}`

const describeTransaction = (run: TransactionRun): string =>
  run.kind === 'executed' ? `transaction ${toHex(run.transaction.hash())}` : `not accepted, exit ${run.exitCode}`
