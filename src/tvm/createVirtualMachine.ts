import { availableParallelism } from 'node:os'
import type { VirtualMachine } from '../chain/ports.ts'
import type { Logger } from '../observe/Logger.ts'
import { LruCache } from '../primitives/LruCache.ts'
import { CodeHistory } from './CodeHistory.ts'
import { describeVersionGap, readGlobalVersionOf } from './describeVersionGap.ts'
import { openEmulatorFiles } from './emulatorFiles.ts'
import type { Machine } from './Machine.ts'
import { PreparedConfigs } from './PreparedConfig.ts'
import { runMethod } from './runMethod.ts'
import { runTransaction } from './runTransaction.ts'
import { startWorker } from './startWorker.ts'
import { EMULATOR_COMMIT, SUPPORTED_VERSION } from './supportedVersion.ts'
import { WorkerPool, type WorkerPoolFigures } from './WorkerPool.ts'

export type VirtualMachineOptions = {
  readonly logger: Logger
  /** Threads; by default one fewer than the machine has cores. One more each is started for slow code and for code on trial. */
  readonly workers?: number
  /** Runs that may wait for a thread. */
  readonly maxQueue?: number
  /** CPU time of any run. */
  readonly timeLimitMs?: number
  /** CPU time of a run that is not known to be slow. What exceeds it gets `timeLimitMs` in the slow lane. */
  readonly quickTimeLimitMs?: number
  /** A thread whose emulator has taken more memory than this is replaced after its run. */
  readonly maxMemoryBytes?: number
  /** Starts all threads at once rather than with the first runs. */
  readonly startNow?: boolean
}

/** A virtual machine that owns its threads. */
export interface OwnedVirtualMachine extends VirtualMachine {
  /** How the threads of each lane stand. */
  figures(): { readonly usual: WorkerPoolFigures; readonly trial: WorkerPoolFigures; readonly long: WorkerPoolFigures }
  close(): Promise<void>
}

const KNOWN_READERS = 4096
/** More would not come to their turn within the time that anybody waits. */
const MAX_SLOW_QUEUE = 32

export const createVirtualMachine = async ({
  logger,
  workers = Math.max(1, availableParallelism() - 1),
  maxQueue = 1000,
  timeLimitMs = 5_000,
  quickTimeLimitMs = 1_000,
  maxMemoryBytes = 512 * 1024 * 1024,
  startNow = false,
}: VirtualMachineOptions): Promise<OwnedVirtualMachine> => {
  const files = await openEmulatorFiles()
  const poolOptions = {
    timeLimitMs,
    maxMemoryBytes,
    onReady: warnOnce((commit: string) => {
      if (commit !== EMULATOR_COMMIT)
        logger.warn('unknown build of the emulator', { commit, expected: EMULATOR_COMMIT })
    }),
  }
  const createPool = (size: number, queue: number, isPatient: boolean): WorkerPool =>
    new WorkerPool({ ...poolOptions, size, maxQueue: queue, startWorker: () => startWorker({ ...files, isPatient }) })
  const usual = createPool(workers, maxQueue, false)
  const trial = createPool(1, maxQueue, false)
  const slow = createPool(1, Math.min(maxQueue, MAX_SLOW_QUEUE), true)
  const warnOfGap = warnOnce((version: number, gap: string) => logger.warn('newer network', { version, gap }))
  const machine: Machine = {
    usual,
    trial,
    slow,
    history: new CodeHistory(),
    trials: new Map(),
    quickTimeLimitMs: Math.min(quickTimeLimitMs, timeLimitMs),
    configs: new PreparedConfigs((config) => {
      const gap = describeVersionGap(SUPPORTED_VERSION, config)
      if (gap !== undefined) warnOfGap(readGlobalVersionOf(config), gap)
    }),
    configReaders: new LruCache(KNOWN_READERS),
  }
  if (startNow) for (const pool of [usual, trial]) pool.startAll()
  return {
    supportedVersion: SUPPORTED_VERSION,
    runMethod: (call, signal) => runMethod(machine, call, signal),
    runTransaction: (call, signal) => runTransaction(machine, call, signal),
    figures: () => ({ usual: usual.figures, trial: trial.figures, long: slow.figures }),
    close: async () => {
      await Promise.all([usual.close(), trial.close(), slow.close()])
    },
  }
}

/** Calls through once for each first argument. */
const warnOnce = <First, Rest extends unknown[]>(warn: (first: First, ...rest: Rest) => void) => {
  const warned = new Set<First>()
  return (first: First, ...rest: Rest): void => {
    if (warned.has(first)) return
    warned.add(first)
    warn(first, ...rest)
  }
}
