import assert from 'node:assert/strict'
import { AugDict, writeAugDict } from '../../src/codec/cell/AugDict.ts'
import { Cell } from '../../src/codec/cell/Cell.ts'
import { CellWriter } from '../../src/codec/cell/CellWriter.ts'
import { Dict } from '../../src/codec/cell/Dict.ts'
import { writeWhole } from '../../src/codec/cell/wholeCell.ts'
import { type Account, openAccount, writeAccount } from '../../src/codec/tlb/Account.ts'
import type { CurrencyCollection } from '../../src/codec/tlb/CurrencyCollection.ts'
import { type ConfigDict, encodeConfigParam } from '../../src/codec/tlb/config/configParams.ts'
import {
  type BlockCreateStats,
  type McStateExtra,
  type McStateHistory,
  oldMcBlocksType,
  openMcStateExtra,
  openMcStateHistory,
  writeMcStateExtra,
  writeMcStateHistory,
} from '../../src/codec/tlb/McStateExtra.ts'
import { openShardAccounts, type ShardAccounts, shardAccountsType } from '../../src/codec/tlb/ShardAccounts.ts'
import { buildShardHashes, listShards } from '../../src/codec/tlb/ShardHashes.ts'
import {
  openShardState,
  openStateTotals,
  type ShardStateUnsplit,
  type StateTotals,
  writeShardStateUnsplit,
  writeStateTotals,
} from '../../src/codec/tlb/ShardState.ts'
import { type Libraries, librariesType, simpleLibsType } from '../../src/codec/tlb/StateInit.ts'
import { validatorListType } from '../../src/codec/tlb/ValidatorSet.ts'
import { toHex } from '../../src/primitives/hex.ts'
import type { Tally } from '../support/rewriteBlock.ts'
import { decodeConfigParam } from './decodeConfigParam.ts'

export const assertSameCell = (what: string, rewritten: Cell | undefined, original: Cell | undefined): void => {
  const [found, expected] = [rewritten, original].map((cell) => (cell === undefined ? 'none' : toHex(cell.hash())))
  assert.equal(found, expected, `${what} was written back to another cell.`)
}

/** Amounts of a CurrencyCollection as plain numbers, for comparing. */
export const amounts = ({ grams, extra }: CurrencyCollection): [bigint, ...[number, bigint][]] => [
  grams,
  ...extra.entries(),
]

/** Reads an account in full and checks that it is written back to the same cell, its libraries from their entries. */
export const rewriteAccount = (cell: Cell, tally: Tally): Account => {
  const account = openAccount(cell)
  assertSameCell('Account', writeWhole(writeAccount, account), cell)
  tally.add(account.kind === 'none' ? 'Account none' : `Account ${account.state.kind}`)
  if (account.kind === 'none') return account
  if (account.storage.dictHash !== undefined) tally.add('StorageInfo with dict_hash')
  if (account.storage.duePayment !== undefined) tally.add('StorageInfo with due_payment')
  if (!account.balance.extra.isEmpty) tally.add('Account with extra currencies')
  if (account.state.kind === 'active' && account.state.init.library !== undefined) {
    const libs = new Dict(simpleLibsType, account.state.init.library).entries()
    for (const [hash, { root }] of libs) assert.equal(toHex(hash), toHex(root.hash()))
    assertSameCell('Account libraries', rootCell(Dict.of(simpleLibsType, libs)), account.state.init.library)
    tally.add('SimpleLib', libs.length)
  }
  return account
}

const rootCell = ({ root }: { readonly root: unknown }): Cell | undefined => (root instanceof Cell ? root : undefined)

const rewriteAccounts = (cell: Cell, tally: Tally): { accounts: ShardAccounts; rewritten: Cell } => {
  const accounts = openShardAccounts(cell)
  for (const [id, { account: accountCell }] of accounts.entries()) {
    const account = rewriteAccount(accountCell, tally)
    assert(account.kind === 'account' && account.address.kind === 'std')
    assert.equal(toHex(account.address.hash), toHex(id))
  }
  const w = new CellWriter()
  writeAugDict(w, AugDict.of(shardAccountsType, accounts.entries()))
  const rewritten = w.toCell()
  assertSameCell('ShardAccounts', rewritten, cell)
  return { accounts, rewritten }
}

const rewriteLibraries = (libraries: Libraries, tally: Tally): Libraries => {
  const entries = libraries.entries()
  for (const [hash, { lib }] of entries) assert.equal(toHex(hash), toHex(lib.hash()))
  tally.add('LibDescr', entries.length)
  const rebuilt = Dict.of(
    librariesType,
    entries.map(([hash, { lib, publishers }]) => {
      tally.add('LibDescr publisher', publishers.entries().length)
      return [hash, { lib, publishers: Dict.of(publishers.type, publishers.entries()) }]
    }),
  )
  assertSameCell('Libraries', rootCell(rebuilt), rootCell(libraries))
  return rebuilt
}

/** Decodes every parameter and writes it back; unknown numbers stay raw, known ones must be read. Gives the dictionary built anew. */
export const rewriteConfig = (config: ConfigDict, tally: Tally, unreadable: readonly number[] = []): ConfigDict => {
  const rewritten = config.entries().map(([id, cell]): [number, Cell] => {
    const param = decodeConfigParam(id, cell)
    if (param.kind === 'raw') {
      assert.equal(param.error !== undefined, unreadable.includes(id), `Parameter ${id}: ${param.error?.message}`)
      tally.add(param.error === undefined ? 'raw parameter' : 'unreadable parameter')
      return [id, cell]
    }
    const value = 'list' in Object(param.value) ? rebuildValidators(param.value) : param.value
    const written = encodeConfigParam(param.id, value as never)
    assertSameCell(`Configuration parameter ${id}`, written, cell)
    tally.add('configuration parameter')
    return [id, written]
  })
  return Dict.of(config.type, rewritten)
}

const rebuildValidators = (value: unknown): unknown => {
  const set = value as { readonly list: Dict<number, never> }
  return { ...set, list: Dict.of(validatorListType, set.list.entries()) }
}

const rebuildCreateStats = (stats: BlockCreateStats | undefined, tally: Tally): BlockCreateStats | undefined => {
  if (stats === undefined) return undefined
  assert.equal(stats.kind, 'plain')
  tally.add('CreatorStats', stats.creators.entries().length)
  return { kind: 'plain', creators: Dict.of(stats.creators.type, stats.creators.entries()) }
}

const rewriteHistory = (cell: Cell, tally: Tally): { history: McStateHistory; rewritten: Cell } => {
  const history = openMcStateHistory(cell)
  const prevBlocks = AugDict.of(oldMcBlocksType, history.prevBlocks.entries())
  assert.deepEqual(prevBlocks.rootExtra, history.prevBlocks.rootExtra)
  const blockCreateStats = rebuildCreateStats(history.blockCreateStats, tally)
  const rewritten = writeWhole(writeMcStateHistory, { ...history, prevBlocks, blockCreateStats })
  assertSameCell('McStateHistory', rewritten, cell)
  tally.add('prev_blocks entry', history.prevBlocks.entries().length)
  return { history, rewritten }
}

type RewrittenExtra = { readonly extra: McStateExtra; readonly history: McStateHistory; readonly rewritten: Cell }

const rewriteMcStateExtra = (cell: Cell, tally: Tally): RewrittenExtra => {
  const extra = openMcStateExtra(cell)
  const { history, rewritten: newHistory } = rewriteHistory(extra.history, tally)
  const rewritten = writeWhole(writeMcStateExtra, {
    shardHashes: buildShardHashes(listShards(extra.shardHashes)),
    config: { configAddr: extra.config.configAddr, config: rewriteConfig(extra.config.config, tally) },
    history: newHistory,
    globalBalance: extra.globalBalance,
  })
  assertSameCell('McStateExtra', rewritten, cell)
  tally.add('McStateExtra')
  return { extra, history, rewritten }
}

export type RewrittenState = {
  readonly state: ShardStateUnsplit
  readonly accounts: ShardAccounts
  readonly totals: StateTotals
  readonly extra: McStateExtra | undefined
  readonly history: McStateHistory | undefined
}

/** Reads all of a state but its queue, and writes every part of it back, each dictionary from its single entries. */
export const rewriteState = (root: Cell, tally: Tally): RewrittenState => {
  const state = openShardState(root)
  assert(state.kind === 'unsplit')
  const { accounts, rewritten } = rewriteAccounts(state.accounts, tally)
  const totals = openStateTotals(state.totals)
  assert.deepEqual(amounts(accounts.rootExtra.balance), amounts(totals.totalBalance))
  const custom = state.custom === undefined ? undefined : rewriteMcStateExtra(state.custom, tally)
  assert.equal(custom === undefined, state.shard.workchain !== -1)
  const rewrittenState = writeWhole(writeShardStateUnsplit, {
    ...state,
    accounts: rewritten,
    totals: writeWhole(writeStateTotals, { ...totals, libraries: rewriteLibraries(totals.libraries, tally) }),
    custom: custom?.rewritten,
  })
  assertSameCell('ShardState', rewrittenState, root)
  tally.add('ShardState')
  return { state, accounts, totals, extra: custom?.extra, history: custom?.history }
}
