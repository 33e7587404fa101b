import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { fixturePath, haveFixtures, readFixture } from '../../test/support/fixtures.ts'
import { contextOf, findShardAccount, replayLocalnet } from '../../test/support/replayLocalnet.ts'
import { createTestMachine } from '../../test/support/vmSamples.ts'
import type { RunContext, TransactionCall, VirtualMachine } from '../chain/ports.ts'
import { Cell } from '../codec/cell/Cell.ts'
import { openCell } from '../codec/cell/CellReader.ts'
import { decodeSingleBoc } from '../codec/cell/decodeBoc.ts'
import { readWhole } from '../codec/cell/wholeCell.ts'
import { accountNoneCell } from '../codec/tlb/Account.ts'
import { openAccountBlocks, openBlock, openBlockExtra } from '../codec/tlb/Block.ts'
import { readShardAccount, type ShardAccount } from '../codec/tlb/ShardAccounts.ts'
import { type AccountBlock, readTransaction, type Transaction } from '../codec/tlb/Transaction.ts'
import { toHex } from '../primitives/hex.ts'
import { formatShard } from '../primitives/shard.ts'

const NO_ACCOUNT: ShardAccount = { account: accountNoneCell, lastTransHash: new Uint8Array(32), lastTransLt: 0n }

const causeOf = ({ inMsg, description }: Transaction): TransactionCall['cause'] => {
  if (inMsg !== undefined) return { kind: 'message', message: inMsg }
  return { kind: description.kind === 'tick_tock' && description.isTock ? 'tock' : 'tick' }
}

/** Runs the transactions of one account in a block again, each on what the one before made. Counts those that came out equal. */
const rerun = async (
  machine: VirtualMachine,
  before: ShardAccount,
  { transactions }: AccountBlock,
  context: RunContext,
): Promise<{ readonly equal: number; readonly all: number }> => {
  let account = before
  let equal = 0
  const recorded = transactions.entries()
  for (const [lt, cell] of recorded) {
    const transaction = readTransaction(openCell(cell))
    const run = await machine.runTransaction({
      account,
      cause: causeOf(transaction),
      lt,
      context: { ...context, now: transaction.now },
      ignoreSignatures: false,
      log: 'none',
    })
    if (run.kind !== 'executed') break
    const isEqual = run.transaction.hasHash(cell.hash()) && run.account.account.hasHash(transaction.stateUpdate.newHash)
    if (isEqual) equal++
    account = run.account
  }
  return { equal, all: recorded.length }
}

/** Libraries that contracts of the block use and that are at hand as, or inside, the code of known contracts. */
const readLibraries = (): Map<string, Cell> => {
  const wanted = [
    '8f452d7a4dfd74066b682365177259ed05734435be76b5fd4bd5d8af2b7c3d68',
    '12bebb0dc8e202b7e26f721e2547e16bb9ebaec934f657d19f22e76d62bec878',
  ]
  const found = new Map<string, Cell>()
  for (const name of ['xtr/XtrMaster_c363366e.boc', 'stakee/StakeedWallet_12bebb0d.boc']) {
    const { arena } = decodeSingleBoc(readFixture(`mainnet/contracts/${name}`))
    for (let index = 0; index < arena.count; index++) {
      const cell = new Cell(arena, index)
      const hash = toHex(cell.hash())
      if (wanted.includes(hash)) found.set(hash, cell)
    }
  }
  assert.equal(found.size, wanted.length)
  return found
}

test('the transactions of a block of the main network come out the same', async (t) => {
  const states = 'mainnet/accounts/block-71398501'
  if (!haveFixtures(t, states)) return
  const { machine, logLines } = await createTestMachine(t, { workers: 2 })
  const block = openBlock(decodeSingleBoc(readFixture('mainnet/blocks/mainnet/0_8000000000000000_71398501.boc')))
  const extra = openBlockExtra(block.extra)
  const libraries = readLibraries()
  const context: RunContext = {
    config: decodeSingleBoc(readFixture('mainnet/configs/mainnet/config_20260513_b2c0d863.boc')),
    now: 0,
    randomSeed: extra.randSeed,
    previousBlocks: undefined,
    findLibrary: (hash) => libraries.get(toHex(hash)),
  }
  const accounts = openAccountBlocks(extra).entries()
  const total = { equal: 0, different: [] as string[], all: 0 }
  await Promise.all(
    accounts.map(async ([account, accountBlock]) => {
      const path = `${states}/0_${toHex(account)}.boc`
      if (!existsSync(fixturePath(path))) return
      const before = readWhole(decodeSingleBoc(readFixture(path)), readShardAccount, 'A ShardAccount')
      const { equal, all } = await rerun(machine, before, accountBlock, context)
      total.equal += equal
      total.all += all
      if (equal !== all) total.different.push(toHex(account).slice(0, 8))
    }),
  )
  // States of 162 of the 234 accounts were recorded. The code of two of them is a library that was not.
  assert.deepEqual(
    { ...total, different: total.different.sort() },
    { equal: 183, all: 189, different: ['8649cad9', '92e1411a'] },
  )
  assert.deepEqual(logLines, [])
})

test('all transactions of a recorded network come out the same', async (t) => {
  const { machine } = await createTestMachine(t, { workers: 2 })
  let equal = 0
  let all = 0
  const context = rememberLast(contextOf)
  for (const { info, extra, before, master } of replayLocalnet()) {
    const shared = { ...context(master), randomSeed: extra.randSeed }
    const runs = openAccountBlocks(extra)
      .entries()
      .map(([account, block]) => rerun(machine, findShardAccount(before, account) ?? NO_ACCOUNT, block, shared))
    for (const counted of await Promise.all(runs)) {
      equal += counted.equal
      all += counted.all
    }
    assert.equal(equal, all, `Block ${info.workchain}:${formatShard(info.shard)}:${info.seqno} came out differently.`)
  }
  assert.equal(equal, 3935)
})

const rememberLast = <Key, Value>(make: (key: Key) => Value): ((key: Key) => Value) => {
  let last: { readonly key: Key; readonly value: Value } | undefined
  return (key) => {
    if (last?.key !== key) last = { key, value: make(key) }
    return last.value
  }
}
