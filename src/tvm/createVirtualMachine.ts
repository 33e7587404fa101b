import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import type { VirtualMachine } from '../chain/ports.ts'
import type { Logger } from '../observe/Logger.ts'
import { startThread } from '../observe/threads.ts'
import { CodeHistory } from './CodeHistory.ts'
import { type CheckStats, RunChecks } from './checkRuns.ts'
import type { Emulator } from './emulator/createEmulator.ts'
import { KnownConfigs } from './KnownConfigs.ts'
import type { Machine } from './Machine.ts'
import { NEWEST_VERSION } from './machine/instructions/table.ts'
import { runMethod, runShortMethod } from './methods.ts'
import { recordMethod, recordTransaction } from './record/record.ts'
import { SliceQueue } from './SliceQueue.ts'
import { runTransaction } from './transactions.ts'
import { WorkerPool, type WorkerPoolStats } from './WorkerPool.ts'

export type VirtualMachineOptions = {
  readonly logger: Logger
  /** Threads for long runs; by default see {@link defaultThreads}. */
  readonly workers?: number
  /** Runs that may be under way on the calling thread, and runs that may wait for another. */
  readonly maxQueue?: number
  /** CPU time of any run. */
  readonly timeLimitMs?: number
  /** CPU time of a run that the index waits for; it gets twice as much on another thread. */
  readonly quickTimeLimitMs?: number
  /** Starts all threads after this time, rather than with the first long run. */
  readonly startAfterMs?: number | undefined
  /** Share of runs, from 0 to 1, that are repeated on the emulator of `@ton/sandbox`, where it is installed. */
  readonly checkRate?: number
}

/** A virtual machine that owns its threads. */
export interface OwnedVirtualMachine extends VirtualMachine {
  /** How the runs on the calling thread and those on others stand. */
  stats(): { readonly inline: WorkerPoolStats; readonly long: WorkerPoolStats }
  /** What came of comparing with the emulator, where runs are checked. */
  checkStats(): CheckStats | undefined
  close(): Promise<void>
}

/** Loaded only where it is wanted: the emulator is not part of the installation. */
const openEmulator = async (): Promise<Emulator> => (await import('./emulator/createEmulator.ts')).createEmulator()

/** A thread for long runs. A run that takes more memory than this fails alone. */
const startMachineThread = (): Worker =>
  startThread({
    name: 'tvm',
    entry: new URL('./machineThread', import.meta.url),
    workerData: {},
    // Its output is kept from the terminal.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32, stackSizeMb: 16 },
  })

/** One fewer than the machine has cores, but two at least: a long run must not hold up the next one. */
export const defaultThreads = (): number => Math.max(2, availableParallelism() - 1)

/** More would not come to their turn within the time that anybody waits. */
const MAX_LONG_QUEUE = 32
const SHORT_FACTOR = 2

export const createVirtualMachine = async ({
  logger,
  workers = defaultThreads(),
  maxQueue = 1000,
  timeLimitMs = 5_000,
  quickTimeLimitMs = 1_000,
  startAfterMs,
  checkRate = 0,
}: VirtualMachineOptions): Promise<OwnedVirtualMachine> => {
  const long = new WorkerPool({
    size: workers,
    maxQueue: Math.min(maxQueue, MAX_LONG_QUEUE),
    timeLimitMs,
    maxMemoryBytes: Number.POSITIVE_INFINITY,
    startWorker: startMachineThread,
    onReady: () => {},
  })
  const slices = new SliceQueue(maxQueue)
  const warned = new Set<number>()
  const machine: Machine = {
    slices,
    long,
    history: new CodeHistory(),
    shortTimeLimitMs: SHORT_FACTOR * Math.min(quickTimeLimitMs, timeLimitMs),
    configs: new KnownConfigs(({ version }) => {
      if (version <= NEWEST_VERSION || warned.has(version)) return
      warned.add(version)
      logger.warn('newer network', { version, supported: NEWEST_VERSION })
    }),
  }
  if (startAfterMs === 0) long.startAll()
  else if (startAfterMs !== undefined) setTimeout(() => long.startAll(), startAfterMs).unref()
  const checks = checkRate === 0 ? undefined : new RunChecks(checkRate, openEmulator(), machine.configs, logger)
  return {
    supportedVersion: NEWEST_VERSION,
    // What is checked is checked in one place.
    runShortMethod: checks === undefined ? (call) => runShortMethod(machine, call) : () => undefined,
    runMethod:
      checks === undefined
        ? (call, signal) => runMethod(machine, call, signal)
        : async (call, signal) => {
            const run = await runMethod(machine, call, signal)
            checks.checkMethod(call, run)
            return run
          },
    runTransaction:
      checks === undefined
        ? (call, signal) => runTransaction(machine, call, signal)
        : async (call, signal) => {
            const run = await runTransaction(machine, call, signal)
            checks.checkTransaction(call, run)
            return run
          },
    recordMethod: (call, options, signal) => recordMethod(machine, call, options, signal),
    recordTransaction: (call, options, signal) => recordTransaction(machine, call, options, signal),
    checkStats: () => checks?.stats,
    stats: () => ({
      inline: { threads: 0, busy: 0, waiting: slices.length, done: slices.done, failed: slices.failed },
      long: long.stats,
    }),
    close: async () => {
      slices.close()
      await Promise.all([long.close(), checks?.close()])
    },
  }
}
