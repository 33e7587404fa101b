import type { MethodCall, MethodRun, TransactionCall, TransactionRun } from '../../chain/ports.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import { openAccount } from '../../codec/tlb/Account.ts'
import { type ShardAccount, writeShardAccount } from '../../codec/tlb/ShardAccounts.ts'
import { encodeVmStack } from '../../codec/tlb/VmStack.ts'
import { startThread } from '../../observe/threads.ts'
import type { Address } from '../../primitives/Address.ts'
import { toHex } from '../../primitives/hex.ts'
import { packMethod, packTransaction } from '../jobs.ts'
import { readMethodAnswer } from '../methods.ts'
import { readTransactionAnswer } from '../transactions.ts'
import { WorkerPool } from '../WorkerPool.ts'
import { collectLibraries, encodeLibraries, type LibraryMap } from './collectLibraries.ts'
import { openEmulatorFiles } from './emulatorFiles.ts'
import { PreparedConfigs } from './PreparedConfig.ts'
import { SUPPORTED_VERSION } from './supportedVersion.ts'

export type EmulatorOptions = { readonly workers?: number; readonly maxQueue?: number; readonly timeLimitMs?: number }

/** How many libraries a method may name that its cells do not refer to. */
const MAX_LATE_LIBRARIES = 16

/**
 * The emulator of `@ton/sandbox`, to compare runs with. It is no dependency: it has to be installed beside this package. It knows the
 * rules up to {@link SUPPORTED_VERSION}. docs/decisions/0008-emulator.md
 */
export const createEmulator = async ({
  workers = 1,
  maxQueue = 1000,
  timeLimitMs = 20_000,
}: EmulatorOptions = {}): Promise<Emulator> => {
  const files = await openEmulatorFiles()
  const pool = new WorkerPool({
    size: workers,
    maxQueue,
    timeLimitMs,
    maxMemoryBytes: 512 * 1024 * 1024,
    startWorker: () =>
      startThread({
        name: 'emulator',
        entry: new URL('./emulatorThread', import.meta.url),
        workerData: files,
        // Its output is kept from the terminal.
        stdout: true,
        stderr: true,
        resourceLimits: { maxOldGenerationSizeMb: 512, stackSizeMb: 64 },
      }),
    onReady: () => {},
  })
  const configs = new PreparedConfigs()
  return {
    supportedVersion: SUPPORTED_VERSION,
    runMethod: (call) => runMethod(pool, configs, call),
    runTransaction: (call) => runTransaction(pool, configs, call),
    close: () => pool.close(),
  }
}

export type Emulator = {
  readonly supportedVersion: number
  runMethod(call: MethodCall): Promise<MethodRun>
  runTransaction(call: TransactionCall): Promise<TransactionRun>
  close(): Promise<void>
}

const libraryRoot = (libraries: LibraryMap): Cell => decodeSingleBoc(encodeLibraries(libraries))

const runMethod = async (pool: WorkerPool, configs: PreparedConfigs, call: MethodCall): Promise<MethodRun> => {
  const { contract, stack, context } = call
  const bags = [encodeBoc([contract.code]), encodeBoc([contract.data]), encodeVmStack(stack)]
  const config = configs.get(context.config)
  let libraries = await collectLibraries(bags, context.findLibrary)
  for (let round = 0; ; round++) {
    const answer = await pool.run(packMethod(call, libraryRoot(libraries), config))
    const { missingLibraries, ...run } = readMethodAnswer(answer)
    const [hash] = missingLibraries
    const library = hash && !libraries.has(toHex(hash)) ? await context.findLibrary?.(hash) : undefined
    if (library === undefined || round === MAX_LATE_LIBRARIES) return run
    const known = new Map(libraries).set(toHex(hash!), library)
    libraries = await collectLibraries([encodeBoc([library])], context.findLibrary, known)
  }
}

const runTransaction = async (
  pool: WorkerPool,
  configs: PreparedConfigs,
  call: TransactionCall,
): Promise<TransactionRun> => {
  const { account, cause, context } = call
  const address = findAddress(account)
  const config = address === undefined ? configs.get(context.config) : configs.getFor(context.config, address)
  const bags = [encodeBoc([writeWhole(writeShardAccount, account)])]
  if (cause.kind === 'message') bags.push(encodeBoc([cause.message]))
  const libraries = await collectLibraries(bags, context.findLibrary)
  return readTransactionAnswer(await pool.run(packTransaction(call, libraryRoot(libraries), config))).run
}

const findAddress = ({ account }: ShardAccount): Address | undefined => {
  const opened = openAccount(account)
  return opened.kind === 'none' || opened.address.kind !== 'std' ? undefined : opened.address
}
