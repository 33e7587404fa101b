import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { openCell } from '../../src/codec/cell/CellReader.ts'
import { Dict } from '../../src/codec/cell/Dict.ts'
import { decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { writeWhole } from '../../src/codec/cell/wholeCell.ts'
import { accountNoneCell } from '../../src/codec/tlb/Account.ts'
import { extraCurrenciesType } from '../../src/codec/tlb/CurrencyCollection.ts'
import { type CommonMsgInfo, type Message, writeMessage } from '../../src/codec/tlb/Message.ts'
import { ADDR_NONE, type AddrStd } from '../../src/codec/tlb/MsgAddress.ts'
import type { ShardAccount } from '../../src/codec/tlb/ShardAccounts.ts'
import { readStateInit } from '../../src/codec/tlb/StateInit.ts'
import { parseAddress } from '../../src/primitives/Address.ts'
import { VmInputError } from '../../src/tvm/errors.ts'
import { ExecutorConfig } from '../../src/tvm/executor/ExecutorConfig.ts'
import { executeTransaction } from '../../src/tvm/executor/executeTransaction.ts'
import { haveFixtures, listFixtures, readFixture } from '../support/fixtures.ts'

type RecordedMessage = {
  readonly hash: string
  readonly source: string | null
  readonly destination: string | null
  readonly value: string | null
  readonly extra_currencies: Readonly<Record<string, string>>
  readonly fwd_fee: string | null
  readonly ihr_fee: string | null
  readonly import_fee: string | null
  readonly created_lt: string | null
  readonly created_at: number | null
  readonly ihr_disabled: boolean | null
  readonly bounce: boolean | null
  readonly bounced: boolean | null
  readonly body: string
  readonly init_state: string | null
}

type RecordedTransaction = {
  readonly hash: string
  readonly account: string
  readonly lt: string
  readonly now: number
  readonly orig_status: string
  readonly account_state_hash_after: string
  readonly in_msg: RecordedMessage | null
}

type RecordedTrace = { readonly transactions: readonly RecordedTransaction[] }

const TRACES = 'actions/traces'
const CONFIGS = 'mainnet/configs/mainnet'
const NO_ACCOUNT: ShardAccount = { account: accountNoneCell, lastTransHash: new Uint8Array(32), lastTransLt: 0n }

const std = (text: string): AddrStd => ({ kind: 'std', ...parseAddress(text), anycast: undefined })

const bag = (text: string): Cell => decodeSingleBoc(Buffer.from(text, 'base64'))

const infoOf = (m: RecordedMessage): CommonMsgInfo => {
  const destination = std(m.destination!)
  if (m.source === null) {
    return { kind: 'externalIn', source: ADDR_NONE, destination, importFee: BigInt(m.import_fee ?? 0) }
  }
  const extra = Object.entries(m.extra_currencies).map(([id, amount]) => [Number(id), BigInt(amount)] as const)
  return {
    kind: 'internal',
    ihrDisabled: m.ihr_disabled!,
    bounce: m.bounce!,
    bounced: m.bounced!,
    source: std(m.source),
    destination,
    value: { grams: BigInt(m.value!), extra: Dict.of(extraCurrenciesType, extra) },
    extraFlags: BigInt(m.ihr_fee ?? 0),
    fwdFee: BigInt(m.fwd_fee!),
    createdLt: BigInt(m.created_lt!),
    createdAt: m.created_at!,
  }
}

/** The cell of a message: which of its parts stood in cells of their own is found by its hash. */
const rebuildMessage = (m: RecordedMessage): Cell | undefined => {
  const info = infoOf(m)
  const body = bag(m.body)
  const state = m.init_state === null ? undefined : readStateInit(openCell(bag(m.init_state)))
  for (const inRef of [true, false]) {
    for (const inner of [body, openCell(body).rest()]) {
      const init = state && { inRef, value: state }
      try {
        const cell = writeWhole((w, message: Message) => writeMessage(w, message), { info, init, body: inner })
        if (Buffer.from(cell.hash()).toString('base64') === m.hash) return cell
      } catch {
        // It does not fit into one cell that way.
      }
    }
  }
  return undefined
}

/** Configurations of the main network. */
const readConfigs = (): ExecutorConfig[] =>
  listFixtures(CONFIGS, '.boc')
    .filter((path) => /config_\d{8}_/.test(path))
    .map((path) => new ExecutorConfig(decodeSingleBoc(readFixture(path))))

test('transactions of the recorded action traces that begin without an account come out the same', (t) => {
  if (!haveFixtures(t, TRACES) || !haveFixtures(t, CONFIGS)) return
  const configs = readConfigs()
  const counts = { traces: 0, transactions: 0, stateless: 0, withoutMessage: 0, missingLibrary: 0, equal: 0 }
  const different: string[] = []
  for (const path of listFixtures(TRACES, '.json.gz')) {
    const { transactions } = JSON.parse(gunzipSync(readFixture(path)).toString()) as RecordedTrace
    const accounts = new Map<string, ShardAccount>()
    let isUsed = false
    for (const recorded of transactions) {
      counts.transactions++
      const before = recorded.orig_status === 'nonexist' ? NO_ACCOUNT : accounts.get(recorded.account)
      accounts.delete(recorded.account)
      const message = before && recorded.in_msg ? rebuildMessage(recorded.in_msg) : undefined
      if (before === undefined) counts.stateless++
      else if (message === undefined) counts.withoutMessage++
      if (before === undefined || message === undefined) continue
      isUsed = true
      // Not every change of the configuration is recorded, and some traces are of the test network: any that fits will do.
      const runs = configs.map((config) => rerun(recorded, before, message, config))
      const same = runs.find(({ isEqual }) => isEqual)
      if (same !== undefined) {
        counts.equal++
        accounts.set(recorded.account, same.account!)
      } else if (runs.some(({ misses }) => misses)) counts.missingLibrary++
      else different.push(`${recorded.hash} in ${path}`)
    }
    if (isUsed) counts.traces++
  }
  t.diagnostic(JSON.stringify(counts))
  assert.deepEqual(different, [])
  assert.deepEqual([counts.equal, counts.missingLibrary, counts.traces], [57, 3, 29])
})

type Rerun = { readonly isEqual: boolean; readonly misses: boolean; readonly account: ShardAccount | undefined }

const NOT_RUN: Rerun = { isEqual: false, misses: false, account: undefined }

const rerun = (recorded: RecordedTransaction, account: ShardAccount, message: Cell, config: ExecutorConfig): Rerun => {
  try {
    return compareRun(recorded, account, message, config)
  } catch (error) {
    // A configuration of another time may lack what the transaction needs.
    if (error instanceof VmInputError) return NOT_RUN
    throw error
  }
}

const compareRun = (
  recorded: RecordedTransaction,
  account: ShardAccount,
  message: Cell,
  config: ExecutorConfig,
): Rerun => {
  const run = executeTransaction({
    account,
    address: parseAddress(recorded.account),
    cause: { kind: 'message', message },
    config,
    now: recorded.now,
    lt: BigInt(recorded.lt),
    blockLt: BigInt(recorded.lt) - (BigInt(recorded.lt) % 1_000_000n),
    randomSeed: new Uint8Array(32),
    libraries: [],
    previousBlocks: null,
  })
  const text = (hash: Uint8Array): string => Buffer.from(hash).toString('base64')
  const misses = (run.run?.missingLibraries.length ?? 0) > 0
  if (run.kind !== 'executed') return { isEqual: false, misses, account: undefined }
  const isEqual =
    text(run.transaction.hash()) === recorded.hash &&
    text(run.account.account.hash()) === recorded.account_state_hash_after
  return { isEqual, misses, account: run.account }
}
