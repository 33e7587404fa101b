import { availableParallelism } from 'node:os'
import type { VirtualMachine } from '../chain/ports.ts'
import type { Logger } from '../observe/Logger.ts'
import { LruCache } from '../primitives/LruCache.ts'
import { describeVersionGap, readGlobalVersionOf } from './describeVersionGap.ts'
import { openEmulatorFiles } from './emulatorFiles.ts'
import type { Machine } from './Machine.ts'
import { PreparedConfigs } from './PreparedConfig.ts'
import { runMethod } from './runMethod.ts'
import { runTransaction } from './runTransaction.ts'
import { SlowCode } from './SlowCode.ts'
import { startWorker } from './startWorker.ts'
import { EMULATOR_COMMIT, SUPPORTED_VERSION } from './supportedVersion.ts'
import { WorkerPool, type WorkerPoolFigures } from './WorkerPool.ts'

export type VirtualMachineOptions = {
  readonly logger: Logger
  /** Threads; by default one fewer than the machine has cores. One more is started for runs that take long. */
  readonly workers?: number
  /** Runs that may wait for a thread. */
  readonly maxQueue?: number
  readonly timeLimitMs?: number
  /** A thread whose emulator has taken more memory than this is replaced after its run. */
  readonly maxMemoryBytes?: number
  /** Starts all threads at once rather than with the first runs. */
  readonly startNow?: boolean
}

/** A virtual machine that owns its threads. */
export interface OwnedVirtualMachine extends VirtualMachine {
  /** How the threads stand, and those for runs that take long. */
  figures(): { readonly usual: WorkerPoolFigures; readonly long: WorkerPoolFigures }
  close(): Promise<void>
}

const KNOWN_READERS = 4096
/** More would not come to their turn within the time that anybody waits. */
const MAX_SLOW_QUEUE = 32

export const createVirtualMachine = async ({
  logger,
  workers = Math.max(1, availableParallelism() - 1),
  maxQueue = 1000,
  timeLimitMs = 10_000,
  maxMemoryBytes = 512 * 1024 * 1024,
  startNow = false,
}: VirtualMachineOptions): Promise<OwnedVirtualMachine> => {
  const files = await openEmulatorFiles()
  const poolOptions = {
    timeLimitMs,
    maxMemoryBytes,
    startWorker: () => startWorker(files),
    onReady: warnOnce((commit: string) => {
      if (commit !== EMULATOR_COMMIT)
        logger.warn('unknown build of the emulator', { commit, expected: EMULATOR_COMMIT })
    }),
  }
  const pool = new WorkerPool({ ...poolOptions, size: workers, maxQueue })
  const apart = new WorkerPool({ ...poolOptions, size: 1, maxQueue: Math.min(maxQueue, MAX_SLOW_QUEUE) })
  const warnOfGap = warnOnce((version: number, gap: string) => logger.warn('newer network', { version, gap }))
  const machine: Machine = {
    pool,
    apart,
    slowCode: new SlowCode(),
    configs: new PreparedConfigs((config) => {
      const gap = describeVersionGap(SUPPORTED_VERSION, config)
      if (gap !== undefined) warnOfGap(readGlobalVersionOf(config), gap)
    }),
    configReaders: new LruCache(KNOWN_READERS),
  }
  if (startNow) pool.startAll()
  return {
    supportedVersion: SUPPORTED_VERSION,
    runMethod: (call, signal) => runMethod(machine, call, signal),
    runTransaction: (call, signal) => runTransaction(machine, call, signal),
    figures: () => ({ usual: pool.figures, long: apart.figures }),
    close: async () => {
      await Promise.all([pool.close(), apart.close()])
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
