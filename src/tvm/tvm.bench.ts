// npm run bench -- tvm    our machine beside the emulator of @ton/sandbox, in one run and in processor time
import { existsSync } from 'node:fs'
import { fixturePath, listFixtures, readFixture } from '../../test/support/fixtures.ts'
import { formatTable } from '../../test/support/formatTable.ts'
import { contextOf, findShardAccount, replayLocalnet } from '../../test/support/replayLocalnet.ts'
import { callCode } from '../../test/support/vmSamples.ts'
import type { ContractState, MethodCall, RunContext, TransactionCall, TransactionRun } from '../chain/ports.ts'
import { openCell } from '../codec/cell/CellReader.ts'
import { decodeSingleBoc } from '../codec/cell/decodeBoc.ts'
import { readWhole } from '../codec/cell/wholeCell.ts'
import { openAccount } from '../codec/tlb/Account.ts'
import { openAccountBlocks, openBlock, openBlockExtra } from '../codec/tlb/Block.ts'
import { ZERO_CURRENCY } from '../codec/tlb/CurrencyCollection.ts'
import { readShardAccount } from '../codec/tlb/ShardAccounts.ts'
import { readTransaction } from '../codec/tlb/Transaction.ts'
import { getMethodId } from '../codec/tlb/VmValue.ts'
import { createLogger } from '../observe/Logger.ts'
import { toHex } from '../primitives/hex.ts'
import { createVirtualMachine } from './createVirtualMachine.ts'
import { createEmulator } from './emulator/createEmulator.ts'

const BLOCK = 'mainnet/blocks/mainnet/0_8000000000000000_71398501.boc'
const ACCOUNTS = 'mainnet/accounts/block-71398501'
const CONTRACTS = 'mainnet/contracts'
const CONFIG = 'mainnet/configs/mainnet/config_20260513_b2c0d863.boc'
const NOW = 1_778_681_725
const ROUNDS = 3

const logger = createLogger({ level: 'silent', format: 'json', colours: false, write: () => {} })

/** What both machines can do. */
type Rival = {
  runMethod(call: MethodCall): Promise<{ readonly exitCode: number }>
  runTransaction(call: TransactionCall): Promise<TransactionRun>
}

type Task = {
  readonly count: number
  run(rival: Rival): Promise<void>
  /** What each run ends with, so that both do the same work. */
  describe(rival: Rival): Promise<string[]>
}

const mainContext = (): RunContext => ({
  config: decodeSingleBoc(readFixture(CONFIG)),
  now: NOW,
  randomSeed: new Uint8Array(32),
  previousBlocks: undefined,
  findLibrary: undefined,
})

const callOf = (contract: ContractState, method: string, context: RunContext): MethodCall => ({
  contract,
  methodId: getMethodId(method),
  stack: [],
  gasLimit: 1_000_000,
  context,
  log: 'none',
})

const named = (name: string, method: string, context: RunContext, workchain = 0): MethodCall => {
  const code = decodeSingleBoc(readFixture(`${CONTRACTS}/${name}.boc`))
  const data = decodeSingleBoc(readFixture(`${CONTRACTS}/${name}.data.boc`))
  const contract = { address: { workchain, hash: new Uint8Array(32) }, code, data, balance: ZERO_CURRENCY }
  return callOf(contract, method, context)
}

/** `seqno` of the wallets of a real block, and `get_wallet_data` of a jetton wallet. */
const readSmall = (context: RunContext): MethodCall[] => {
  const calls = listFixtures(ACCOUNTS, '.boc').flatMap((path) => {
    const { account } = readWhole(decodeSingleBoc(readFixture(path)), readShardAccount, 'A ShardAccount')
    const opened = openAccount(account)
    if (opened.kind === 'none' || opened.state.kind !== 'active' || opened.address.kind !== 'std') return []
    const { code, data } = opened.state.init
    const contract = { address: opened.address, code: code!, data: data!, balance: opened.balance }
    return [callOf(contract, 'seqno', context)]
  })
  const wallet = named('megatonfi-wton/WtonWallet_c1227508', 'get_wallet_data', context)
  return [...calls, ...Array.from({ length: calls.length }, () => wallet)]
}

/** Not every account of a block is a wallet. */
const thatSucceed = async (rival: Rival, calls: readonly MethodCall[]): Promise<MethodCall[]> => {
  const kept: MethodCall[] = []
  for (const call of calls) if ((await rival.runMethod(call)).exitCode === 0) kept.push(call)
  return kept
}

/** Methods that look at the configuration, or at much data. */
const readConfigReaders = (context: RunContext): MethodCall[] => {
  const calls = [
    // CONFIGPARAM 18, 20 and 34, as code that computes fees or looks for validators does.
    callCode('30 8012 F833 30 8014 F833 30 8022 F833', { context }),
    callCode('30 F829 8014 8020 F40E', { context }),
    named('megatonfi-wton/WtonMinter_32cb6360', 'get_jetton_data', context),
  ]
  return Array.from({ length: 60 }, (_, k) => calls[k % calls.length]!)
}

const methodTask = (calls: readonly MethodCall[]): Task => ({
  count: calls.length,
  run: async (rival) => {
    for (const call of calls) await rival.runMethod(call)
  },
  describe: async (rival) => {
    const ends: string[] = []
    for (const call of calls) ends.push(`exit ${(await rival.runMethod(call)).exitCode}`)
    return ends
  },
})

/** First transactions of the accounts of a real block, and all of the recorded network. */
const readTransactions = (context: RunContext): TransactionCall[] => {
  const calls: TransactionCall[] = []
  for (const { extra, before, master } of replayLocalnet()) {
    const shared = { ...contextOf(master), randomSeed: extra.randSeed }
    for (const [hash, block] of openAccountBlocks(extra).entries()) {
      const account = findShardAccount(before, hash)
      const [lt, cell] = block.transactions.entries()[0]!
      const { now, inMsg, description } = readTransaction(openCell(cell))
      const isTock = description.kind === 'tick_tock' && description.isTock
      const cause =
        inMsg === undefined
          ? ({ kind: isTock ? 'tock' : 'tick' } as const)
          : ({ kind: 'message', message: inMsg } as const)
      if (account === undefined) continue
      calls.push({ account, cause, lt, context: { ...shared, now }, ignoreSignatures: false, log: 'none' })
    }
    if (calls.length >= 600) break
  }
  const extra = openBlockExtra(openBlock(decodeSingleBoc(readFixture(BLOCK))).extra)
  const states = new Set(listFixtures(ACCOUNTS, '.boc'))
  openAccountBlocks(extra).forEach((account, { transactions }) => {
    const path = `${ACCOUNTS}/0_${toHex(account)}.boc`
    if (!states.has(path)) return
    const state = readWhole(decodeSingleBoc(readFixture(path)), readShardAccount, 'A ShardAccount')
    const [lt, cell] = transactions.entries()[0]!
    const message = readTransaction(openCell(cell)).inMsg!
    calls.push({
      account: state,
      cause: { kind: 'message', message },
      lt,
      context,
      ignoreSignatures: false,
      log: 'none',
    })
  })
  return calls
}

const transactionTask = (calls: readonly TransactionCall[]): Task => ({
  count: calls.length,
  run: async (rival) => {
    for (const call of calls) await rival.runTransaction(call)
  },
  describe: async (rival) => {
    const ends: string[] = []
    for (const call of calls) ends.push(describeEnd(await rival.runTransaction(call)))
    return ends
  },
})

const describeEnd = (run: TransactionRun): string => {
  if (run.kind === 'notAccepted') return `not accepted, exit ${run.exitCode}`
  const { description } = readTransaction(openCell(run.transaction))
  if (!('computePhase' in description)) return description.kind
  const { computePhase: phase } = description
  return phase.kind === 'vm' ? `exit ${phase.exitCode}` : `skipped, ${phase.reason}`
}

/** Refuses to compare speeds of runs that do not end alike. */
const checkEnds = async (name: string, task: Task, ours: Rival, theirs: Rival): Promise<void> => {
  const [own, other] = [await task.describe(ours), await task.describe(theirs)]
  const different = own.flatMap((end, k) => (end === other[k] ? [] : [`run ${k}: ${end}, emulator ${other[k]}`]))
  if (different.length > 0) {
    throw new Error(
      `${different.length} of ${own.length} runs of ${name} end differently: ${different.slice(0, 5).join('; ')}`,
    )
  }
  const counts = new Map<string, number>()
  for (const end of own) counts.set(end, (counts.get(end) ?? 0) + 1)
  console.log(
    `${name}: ${own.length} runs end alike (${[...counts].map(([end, count]) => `${end}: ${count}`).join(', ')})`,
  )
}

/** Adds numbers until a million gas is gone: INC and DEC over and over. */
const loopTask = (context: RunContext): Task =>
  methodTask([callCode('30 70 93 A4A5A4 EA', { context, gasLimit: 1_000_000 })])

/** Processor time of one run, all threads counted, in milliseconds: the least of some rounds. */
const measureTask = async (task: Task, rival: Rival, minMs: number): Promise<number> => {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) {
    let runs = 0
    const start = process.cpuUsage()
    const end = performance.now() + minMs
    do {
      await task.run(rival)
      runs += task.count
    } while (performance.now() < end)
    const { user, system } = process.cpuUsage(start)
    best = Math.min(best, (user + system) / 1000 / runs)
  }
  return best
}

export const run = async (): Promise<Record<string, number | string>> => {
  if (!existsSync(fixturePath(ACCOUNTS))) {
    return { skipped: 'The recorded accounts of a main network block are not beside this checkout.' }
  }
  const context = mainContext()
  const ours = await createVirtualMachine({ logger, workers: 1, startAfterMs: 0 })
  const theirs = await createEmulator()
  const tasks: Record<string, Task> = {
    small: methodTask(await thatSucceed(ours, readSmall(context))),
    config: methodTask(readConfigReaders(context)),
    tx: transactionTask(readTransactions(context)),
    loop: loopTask(context),
  }
  const figures: Record<string, number> = {}
  const rows: Record<string, string | number>[] = []
  for (const [name, task] of Object.entries(tasks)) {
    await checkEnds(name, task, ours, theirs)
    await measureTask(task, ours, 500)
    await measureTask(task, theirs, 200)
    const own = await measureTask(task, ours, 1000)
    const other = await measureTask(task, theirs, 1000)
    rows.push({ runs: name, 'ours, cpu µs': 1000 * own, 'emulator, cpu µs': 1000 * other, ratio: other / own })
    figures[`${name}_us`] = 1000 * own
    figures[`${name}_ratio`] = other / own
  }
  await ours.close()
  await theirs.close()
  console.log(formatTable(rows))
  return figures
}
