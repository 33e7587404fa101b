// npm run bench -- tvm          short
// npm run bench -- tvm 100000   so many runs in the watch over memory
import { existsSync } from 'node:fs'
import { fixturePath, listFixtures, readFixture } from '../../test/support/fixtures.ts'
import { formatTable } from '../../test/support/formatTable.ts'
import { measure } from '../../test/support/measure.ts'
import type { ContractState, MethodCall, RunContext, TransactionCall } from '../chain/ports.ts'
import { openCell } from '../codec/cell/CellReader.ts'
import { decodeSingleBoc } from '../codec/cell/decodeBoc.ts'
import { readWhole } from '../codec/cell/wholeCell.ts'
import { openAccount } from '../codec/tlb/Account.ts'
import { openAccountBlocks, openBlock, openBlockExtra } from '../codec/tlb/Block.ts'
import { readShardAccount } from '../codec/tlb/ShardAccounts.ts'
import { readTransaction } from '../codec/tlb/Transaction.ts'
import { getMethodId } from '../codec/tlb/VmValue.ts'
import { createLogger } from '../observe/Logger.ts'
import { toHex } from '../primitives/hex.ts'
import { LruCache } from '../primitives/LruCache.ts'
import { CodeHistory } from './CodeHistory.ts'
import { createVirtualMachine } from './createVirtualMachine.ts'
import { openEmulatorFiles } from './emulatorFiles.ts'
import type { Machine } from './Machine.ts'
import type { MethodJob, TransactionJob, VmJob } from './messages.ts'
import { PreparedConfigs } from './PreparedConfig.ts'
import { runMethod } from './runMethod.ts'
import { runTransaction } from './runTransaction.ts'
import type { Pack, WorkerPool } from './WorkerPool.ts'
import { Emulator } from './worker/Emulator.ts'
import { HeldConfig } from './worker/HeldConfig.ts'
import { runMethod as runMethodInWorker } from './worker/runMethod.ts'
import { runTransaction as runTransactionInWorker } from './worker/runTransaction.ts'

const BLOCK = 'mainnet/blocks/mainnet/0_8000000000000000_71398501.boc'
const ACCOUNTS = 'mainnet/accounts/block-71398501'
const CONFIG = 'mainnet/configs/mainnet/config_20260513_b2c0d863.boc'
const DEFAULT_RUNS = 5000

const logger = createLogger({ level: 'silent', format: 'json', colours: false, write: () => {} })

type Calls = { readonly methods: MethodCall[]; readonly transactions: TransactionCall[] }

/** First transactions of the accounts of a real block, and get-methods of its wallets. */
const readCalls = (): Calls => {
  const extra = openBlockExtra(openBlock(decodeSingleBoc(readFixture(BLOCK))).extra)
  const context: RunContext = {
    config: decodeSingleBoc(readFixture(CONFIG)),
    now: 1_778_681_725,
    randomSeed: extra.randSeed,
    previousBlocks: undefined,
    findLibrary: undefined,
  }
  const states = new Set(listFixtures(ACCOUNTS, '.boc'))
  const calls: Calls = { methods: [], transactions: [] }
  openAccountBlocks(extra).forEach((account, { transactions }) => {
    const path = `${ACCOUNTS}/0_${toHex(account)}.boc`
    if (!states.has(path)) return
    const state = readWhole(decodeSingleBoc(readFixture(path)), readShardAccount, 'A ShardAccount')
    const [lt, cell] = transactions.entries()[0]!
    const message = readTransaction(openCell(cell)).inMsg!
    const rest = { lt, context, ignoreSignatures: false, log: 'none' } as const
    calls.transactions.push({ account: state, cause: { kind: 'message', message }, ...rest })
    const opened = openAccount(state.account)
    if (opened.kind === 'none' || opened.state.kind !== 'active' || opened.address.kind !== 'std') return
    const { code, data } = opened.state.init
    const contract: ContractState = { address: opened.address, code: code!, data: data!, balance: opened.balance }
    const methodId = getMethodId('seqno')
    calls.methods.push({ contract, methodId, stack: [], gasLimit: 1_000_000, context, log: 'none' })
  })
  return calls
}

/** What would go to a worker, without one. */
const packJobs = async ({
  methods,
  transactions,
}: Calls): Promise<{ methods: MethodJob[]; transactions: TransactionJob[] }> => {
  const jobs: VmJob[] = []
  const collect = {
    run: (pack: Pack) => {
      jobs.push(pack(() => false))
      return Promise.reject(new Error('collected'))
    },
    startAll: () => {},
  } as unknown as WorkerPool
  const machine: Machine = {
    usual: collect,
    trial: collect,
    slow: collect,
    history: new CodeHistory(),
    trials: new Map(),
    quickTimeLimitMs: 1000,
    configs: new PreparedConfigs(() => {}),
    configReaders: new LruCache(1),
  }
  for (const call of methods) await runMethod(machine, call).catch(() => {})
  for (const call of transactions) await runTransaction(machine, call).catch(() => {})
  return {
    methods: jobs.filter((job) => job.kind === 'method'),
    transactions: jobs.filter((job) => job.kind === 'transaction'),
  }
}

/** The emulator alone, in this thread: what a run costs a core. */
const measureCore = async (calls: Calls): Promise<Record<string, number>> => {
  const emulator = await Emulator.open(await openEmulatorFiles())
  const { methods, transactions } = await packJobs(calls)
  const { full, lean } = methods[0]!.config!
  const config = new HeldConfig(emulator, { full, lean })
  const fullOnly = new HeldConfig(emulator, { full, lean: undefined })
  const timings = measure(
    {
      full: () => methods.map((job) => runMethodInWorker(emulator, fullOnly, job)),
      lean: () => methods.map((job) => runMethodInWorker(emulator, config, job)),
      transactions: () => transactions.map((job) => runTransactionInWorker(emulator, config, job)),
    },
    { warmupMs: 3000, roundMs: 1000, rounds: 5 },
  )
  const perRun = {
    full: timings.full.cpuMs / methods.length,
    lean: timings.lean.cpuMs / methods.length,
    transaction: timings.transactions.cpuMs / transactions.length,
  }
  console.log(
    formatTable([
      { run: 'get-method, full configuration', 'cpu ms': perRun.full, 'per cpu-s': 1000 / perRun.full },
      { run: 'get-method, lean configuration', 'cpu ms': perRun.lean, 'per cpu-s': 1000 / perRun.lean },
      { run: 'transaction', 'cpu ms': perRun.transaction, 'per cpu-s': 1000 / perRun.transaction },
    ]),
  )
  return {
    method_full_per_cpu_s: 1000 / perRun.full,
    method_per_cpu_s: 1000 / perRun.lean,
    transaction_per_cpu_s: 1000 / perRun.transaction,
  }
}

/** Many runs through threads: rates that a caller sees, and what becomes of memory. */
const measureMachine = async ({ methods, transactions }: Calls, runs: number): Promise<Record<string, number>> => {
  const start = performance.now()
  const machine = await createVirtualMachine({ logger, maxQueue: 1000 })
  const createdMs = performance.now() - start
  await machine.runMethod(methods[0]!)
  const readyMs = performance.now() - start
  const everything = [
    ...methods.map((call) => () => machine.runMethod(call)),
    ...transactions.map((call) => () => machine.runTransaction(call)),
  ]
  const rows: Record<string, number>[] = []
  const IN_FLIGHT = 16
  let done = 0
  let next = Math.ceil(runs / 5)
  const began = performance.now()
  const idle = performance.eventLoopUtilization()
  const worker = async (): Promise<void> => {
    while (done < runs) {
      const run = everything[done++ % everything.length]!
      await run()
      if (done < next) continue
      next += Math.ceil(runs / 5)
      globalThis.gc?.()
      const seconds = (performance.now() - began) / 1000
      rows.push({ runs: done, 'runs/s': done / seconds, 'rss MiB': process.memoryUsage().rss / 2 ** 20 })
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker))
  const runsPerS = runs / ((performance.now() - began) / 1000)
  const { active } = performance.eventLoopUtilization(idle)
  await machine.close()
  console.log(formatTable(rows))
  return {
    created_ms: createdMs,
    first_run_ms: readyMs,
    runs,
    runs_per_s: runsPerS,
    main_thread_ms_per_run: active / runs,
    rss_first_mib: rows[0]?.['rss MiB'] ?? 0,
    rss_last_mib: rows.at(-1)?.['rss MiB'] ?? 0,
  }
}

export const run = async (): Promise<Record<string, number | string>> => {
  if (!existsSync(fixturePath(ACCOUNTS))) {
    return { skipped: 'The recorded accounts of a main network block are not beside this checkout.' }
  }
  const runs = process.argv.map(Number).find((value) => value > 0) ?? DEFAULT_RUNS
  const calls = readCalls()
  return { ...(await measureMachine(calls, runs)), ...(await measureCore(calls)) }
}
