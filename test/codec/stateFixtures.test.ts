import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Dictionary, loadShardStateUnsplit, type ShardAccountRef } from '@ton/core'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { recordVisited } from '../../src/codec/cell/HashIndex.ts'
import { writeWhole } from '../../src/codec/cell/wholeCell.ts'
import { openAccount } from '../../src/codec/tlb/Account.ts'
import { openShardAccounts } from '../../src/codec/tlb/ShardAccounts.ts'
import { openShardState, writeShardStateUnsplit } from '../../src/codec/tlb/ShardState.ts'
import { parseAddress } from '../../src/primitives/Address.ts'
import { bytesToBigint } from '../../src/primitives/bytes.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { formatShard } from '../../src/primitives/shard.ts'
import { toCoreCell } from '../support/coreCell.ts'
import { haveFixtures, readFixture, readFixtureJson } from '../support/fixtures.ts'
import { Tally } from '../support/rewriteBlock.ts'
import { amounts, type RewrittenState, rewriteState } from '../support/rewriteState.ts'
import { sampleStateCell } from '../support/sampleState.ts'

type StateEntry = {
  readonly file: string
  readonly root_hash: string
  readonly global_id: number
  readonly workchain: number
  readonly shard: string
  readonly seqno: number
  readonly vert_seqno: number
  readonly gen_utime: number
  readonly gen_lt: string
  readonly min_ref_mc_seqno: number
  readonly before_split: boolean
  readonly total_balance: string
  readonly total_other?: readonly [number, string][]
  readonly accounts: number
  readonly active_accounts: number
  readonly sum_balances: string
  readonly has_custom?: boolean
}

type AccountEntry = {
  readonly address: string
  readonly balance: string
  readonly extra?: readonly [number, string][]
  readonly status: string
  readonly last_trans_lt: string
  readonly last_trans_hash: string
  readonly last_paid: number
  readonly code_hash?: string
}

const folder = 'mainnet/states'

const toAmounts = (grams: string, extra: readonly [number, string][] = []): unknown => [
  BigInt(grams),
  ...extra.map(([id, amount]) => [id, BigInt(amount)]),
]

const checkHeader = ({ state, totals, accounts, extra }: RewrittenState, entry: StateEntry): void => {
  const statuses = accounts.entries().map(([, { account }]) => {
    const read = openAccount(account)
    return read.kind === 'none' ? 'none' : read.state.kind
  })
  assert.deepEqual(
    {
      global_id: state.globalId,
      workchain: state.shard.workchain,
      shard: formatShard(state.shard.shard),
      seqno: state.seqno,
      vert_seqno: state.vertSeqno,
      gen_utime: state.genUtime,
      gen_lt: String(state.genLt),
      min_ref_mc_seqno: state.minRefMcSeqno,
      before_split: state.beforeSplit,
      accounts: statuses.length,
      active_accounts: statuses.filter((status) => status === 'active').length,
      sum_balances: String(accounts.rootExtra.balance.grams),
      has_custom: extra !== undefined,
    },
    {
      global_id: entry.global_id,
      workchain: entry.workchain,
      shard: entry.shard,
      seqno: entry.seqno,
      vert_seqno: entry.vert_seqno,
      gen_utime: entry.gen_utime,
      gen_lt: entry.gen_lt,
      min_ref_mc_seqno: entry.min_ref_mc_seqno,
      before_split: entry.before_split,
      accounts: entry.accounts,
      active_accounts: entry.active_accounts,
      sum_balances: entry.sum_balances,
      has_custom: entry.has_custom ?? false,
    },
  )
  assert.deepEqual(amounts(totals.totalBalance), toAmounts(entry.total_balance, entry.total_other))
}

const checkAccount = ({ accounts }: RewrittenState, entry: AccountEntry): void => {
  const found = accounts.find(parseAddress(entry.address).hash)
  assert(found !== undefined)
  const account = openAccount(found.account)
  assert(account.kind === 'account')
  const code = account.state.kind === 'active' ? account.state.init.code : undefined
  assert.deepEqual(amounts(account.balance), toAmounts(entry.balance, entry.extra))
  assert.deepEqual(
    [account.state.kind, String(found.lastTransLt), toHex(found.lastTransHash), account.storage.lastPaid],
    [entry.status, entry.last_trans_lt, entry.last_trans_hash, entry.last_paid],
  )
  assert.equal(code === undefined ? undefined : toHex(code.hash()), entry.code_hash)
}

test('a state made by hand is written back to the same cells, with a bit of everything in it', (t) => {
  const tally = new Tally()
  const { accounts, history } = rewriteState(sampleStateCell, tally)
  t.diagnostic(tally.toString())
  assert.deepEqual(amounts(accounts.rootExtra.balance), [5_000_000_007n, [239, 666_667n]])
  assert.equal(history?.prevBlocks.find(2)?.block.endLt, 2_000_000n)
  assert.equal(tally.counts.get('SimpleLib'), 1)
})

test('recorded states are written back to the same cells and say what their index says', (t) => {
  if (!haveFixtures(t, folder)) return
  const tally = new Tally()
  let listed = 0
  for (const entry of readFixtureJson<StateEntry[]>(`${folder}/index.json`)) {
    const root = decodeSingleBoc(readFixture(`${folder}/${entry.file}`))
    assert.equal(toHex(root.hash()), entry.root_hash)
    const rewritten = rewriteState(root, tally)
    checkHeader(rewritten, entry)
    const list = readFixtureJson<{ readonly accounts: AccountEntry[] }>(
      `${folder}/${entry.file.replace('.boc', '.accounts.json')}`,
    )
    for (const account of list.accounts) checkAccount(rewritten, account)
    listed += list.accounts.length
  }
  t.diagnostic(`${tally}, accounts compared with lists ${listed}`)
  assert.equal(tally.counts.get('ShardState'), 7)
  assert.equal(tally.counts.get('Account uninit'), 2609)
  assert(listed >= 71)
})

test('the zerostates have the hashes that name them and the validators that sign first', (t) => {
  if (!haveFixtures(t, folder)) return
  const keys = readFixtureJson<Record<'zerostate' | 'basestate0', { root_hash: string }>>('localnet/config/keys.json')
  const read = (path: string, hash: string): RewrittenState => {
    const root = decodeSingleBoc(readFixture(path))
    assert.equal(toHex(root.hash()), hash)
    return rewriteState(root, new Tally())
  }
  const local = read('localnet/config/zerostate.boc', keys.zerostate.root_hash)
  const base = read('localnet/config/basestate0.boc', keys.basestate0.root_hash)
  const mainnet = read(
    `${folder}/mainnet/zerostate_-1.boc`,
    '17a3a92992aabea785a7a090985a265cd31f323d849da51239737e321fb05569',
  )
  const mainnetBase = read(
    `${folder}/mainnet/zerostate_0.boc`,
    '55b13f6d0e1d0c34c9c2160f6f918e92d82bf9ddcf8de2e4c94a3fdf39d15446',
  )
  assert.deepEqual(
    [local, base, mainnet, mainnetBase].map(({ state, history }) => [
      state.globalId,
      state.isShardEndWritten,
      history?.validatorInfo,
      history?.afterKeyBlock,
    ]),
    [
      [-777, false, { validatorListHashShort: 1_555_201_708, catchainSeqno: 0, nxCcUpdated: true }, true],
      [-777, true, undefined, undefined],
      [-239, false, { validatorListHashShort: 2_847_422_614, catchainSeqno: 0, nxCcUpdated: true }, true],
      [-239, true, undefined, undefined],
    ],
  )
})

const compareWithCore = (root: Cell): number => {
  const state = openShardState(root)
  assert(state.kind === 'unsplit')
  // @ton/core expects the configuration of a masterchain state where it is not, so it gets the state without its extra.
  const core = loadShardStateUnsplit(
    toCoreCell(writeWhole(writeShardStateUnsplit, { ...state, custom: undefined })).beginParse(),
  )
  assert.deepEqual(
    [
      core.globalId,
      core.shardId.workchainId,
      core.seqno,
      core.vertSeqNo,
      core.genUtime,
      core.genLt,
      core.minRefMcSeqno,
    ],
    [
      state.globalId,
      state.shard.workchain,
      state.seqno,
      state.vertSeqno,
      state.genUtime,
      state.genLt,
      state.minRefMcSeqno,
    ],
  )
  const accounts = openShardAccounts(state.accounts)
  const coreAccounts = core.accounts as Dictionary<bigint, ShardAccountRef>
  assert.equal(accounts.entries().length, coreAccounts.size)
  accounts.forEach((id, { account: cell, lastTransHash, lastTransLt }, extra) => {
    const account = openAccount(cell)
    const { shardAccount, depthBalanceInfo } = coreAccounts.get(bytesToBigint(id))!
    assert(account.kind === 'account')
    assert.deepEqual(
      [
        bytesToBigint(lastTransHash),
        lastTransLt,
        extra.splitDepth,
        extra.balance.grams,
        account.storage.used.bits,
        account.storage.lastPaid,
        account.storage.duePayment ?? null,
        account.lastTransLt,
        account.balance.grams,
        account.state.kind,
        account.balance.extra.entries(),
      ],
      [
        shardAccount.lastTransactionHash,
        shardAccount.lastTransactionLt,
        depthBalanceInfo.splitDepth,
        depthBalanceInfo.balance.coins,
        shardAccount.account?.storageStats.used.bits,
        shardAccount.account?.storageStats.lastPaid,
        shardAccount.account?.storageStats.duePayment,
        shardAccount.account?.storage.lastTransLt,
        shardAccount.account?.storage.balance.coins,
        shardAccount.account?.storage.state.type,
        [...(shardAccount.account?.storage.balance.other ?? [])],
      ],
    )
  })
  return coreAccounts.size
}

test('recorded states hold the accounts that @ton/core reads in them', (t) => {
  if (!haveFixtures(t, folder)) return
  let compared = 0
  for (const { file } of readFixtureJson<StateEntry[]>(`${folder}/index.json`)) {
    compared += compareWithCore(decodeSingleBoc(readFixture(`${folder}/${file}`)))
  }
  t.diagnostic(`${compared} accounts compared`)
  assert(compared > 4300)
})

test('finding an account in a state of thousands enters only the path to it', (t) => {
  if (!haveFixtures(t, folder)) return
  const root = decodeSingleBoc(readFixture(`${folder}/mainnet/0_f800000000000000_4262143.boc`))
  const state = openShardState(root)
  assert(state.kind === 'unsplit')
  let deepest = 0
  const ids = openShardAccounts(state.accounts)
    .entries()
    .filter((_, k) => k % 40 === 0)
  for (const [id] of ids) {
    const visited = recordVisited(() => {
      const opened = openShardState(root)
      assert(opened.kind === 'unsplit')
      openAccount(openShardAccounts(opened.accounts).find(id)!.account)
    })
    let entered = 0
    for (let index = 0; index < root.arena.count; index++) if (visited.has({ arena: root.arena, index })) entered++
    deepest = Math.max(deepest, entered)
  }
  t.diagnostic(`${root.arena.count} cells, at most ${deepest} entered for one account`)
  assert(deepest <= 32)
})
