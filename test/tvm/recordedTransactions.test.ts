import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { openCell } from '../../src/codec/cell/CellReader.ts'
import { decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { readWhole } from '../../src/codec/cell/wholeCell.ts'
import { accountNoneCell } from '../../src/codec/tlb/Account.ts'
import { openAccountBlocks, openBlock, openBlockExtra } from '../../src/codec/tlb/Block.ts'
import { openBlockInfo } from '../../src/codec/tlb/BlockInfo.ts'
import { readShardAccount, type ShardAccount } from '../../src/codec/tlb/ShardAccounts.ts'
import { type AccountBlock, readTransaction } from '../../src/codec/tlb/Transaction.ts'
import { readVmStackValue } from '../../src/codec/tlb/VmStack.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { ExecutorConfig } from '../../src/tvm/executor/ExecutorConfig.ts'
import { executeTransaction } from '../../src/tvm/executor/executeTransaction.ts'
import type { ExecuteInput } from '../../src/tvm/executor/TransactionState.ts'
import { fromVmValue } from '../../src/tvm/machine/stackValues.ts'
import type { Value } from '../../src/tvm/machine/values.ts'
import { encodePreviousBlocks } from '../../src/tvm/previousBlocks.ts'
import { haveFixtures, readFixture } from '../support/fixtures.ts'
import { contextOf, findShardAccount, replayLocalnet } from '../support/replayLocalnet.ts'

const NO_ACCOUNT: ShardAccount = { account: accountNoneCell, lastTransHash: new Uint8Array(32), lastTransLt: 0n }

/** What is the same for all transactions of a block. */
type BlockContext = Omit<ExecuteInput, 'account' | 'cause' | 'now' | 'lt' | 'address'>

/** Runs the transactions of one account in a block again, each on what the one before made; the lt of those that differ. */
const rerun = (
  workchain: number,
  hash: Uint8Array,
  before: ShardAccount,
  { transactions }: AccountBlock,
  context: BlockContext,
): { readonly all: number; readonly different: bigint[] } => {
  let account = before
  const different: bigint[] = []
  const recorded = transactions.entries()
  for (const [lt, cell] of recorded) {
    const { now, inMsg, description, stateUpdate } = readTransaction(openCell(cell))
    const isTock = description.kind === 'tick_tock' && description.isTock
    const run = executeTransaction({
      ...context,
      account,
      address: { workchain, hash },
      cause: inMsg === undefined ? { kind: isTock ? 'tock' : 'tick' } : { kind: 'message', message: inMsg },
      now,
      lt,
    })
    const isEqual =
      run.kind === 'executed' &&
      run.transaction.hasHash(cell.hash()) &&
      run.account.account.hasHash(stateUpdate.newHash)
    if (!isEqual) different.push(lt)
    if (run.kind === 'executed') account = run.account
  }
  return { all: recorded.length, different }
}

const readValue = (bytes: Uint8Array): Value => fromVmValue(readVmStackValue(openCell(decodeSingleBoc(bytes))))

test('all transactions of a recorded network come out the same', () => {
  let all = 0
  const configs = new Map<string, ExecutorConfig>()
  for (const { info, extra, before, master } of replayLocalnet()) {
    const { config: root, previousBlocks } = contextOf(master)
    const key = toHex(root.hash())
    const config = configs.get(key) ?? new ExecutorConfig(root)
    configs.set(key, config)
    const context: BlockContext = {
      config,
      blockLt: info.startLt,
      randomSeed: extra.randSeed,
      libraries: [],
      previousBlocks: readValue(encodePreviousBlocks(previousBlocks, config.version)),
    }
    for (const [hash, block] of openAccountBlocks(extra).entries()) {
      const result = rerun(info.workchain, hash, findShardAccount(before, hash) ?? NO_ACCOUNT, block, context)
      assert.deepEqual(result.different, [], `account ${info.workchain}:${toHex(hash)} in block ${info.seqno}`)
      all += result.all
    }
  }
  assert.equal(all, 3935)
})

type FatBlock = {
  readonly block_boc_base64: string
  readonly previous_accounts: readonly { readonly account: string; readonly shard_account_boc_base64: string }[]
  readonly config: {
    readonly config_root_boc_base64: string
    readonly prev_blocks_stack_boc_base64: string
    readonly libraries_boc_base64: readonly string[]
  }
}

const FAT_BLOCK = 'tvm/tvm_replay_fat_block_66519406.json.gz'

test('all transactions of a block of the main network come out the same', (t) => {
  if (!haveFixtures(t, FAT_BLOCK)) return
  const fat = JSON.parse(gunzipSync(readFixture(FAT_BLOCK)).toString()) as FatBlock
  const bag = (text: string): Cell => decodeSingleBoc(Buffer.from(text, 'base64'))
  const accounts = new Map(
    fat.previous_accounts.map(({ account, shard_account_boc_base64: boc }) => [
      account,
      readWhole(bag(boc), readShardAccount, 'A ShardAccount'),
    ]),
  )
  const block = openBlock(bag(fat.block_boc_base64))
  const info = openBlockInfo(block.info)
  const extra = openBlockExtra(block.extra)
  const context: BlockContext = {
    config: new ExecutorConfig(bag(fat.config.config_root_boc_base64)),
    blockLt: info.startLt,
    randomSeed: extra.randSeed,
    libraries: fat.config.libraries_boc_base64.map(bag),
    previousBlocks: readValue(Buffer.from(fat.config.prev_blocks_stack_boc_base64, 'base64')),
  }
  let all = 0
  for (const [hash, accountBlock] of openAccountBlocks(extra).entries()) {
    const before = accounts.get(`0:${toHex(hash)}`) ?? NO_ACCOUNT
    const result = rerun(0, hash, before, accountBlock, context)
    assert.deepEqual(result.different, [], `account 0:${toHex(hash)}`)
    all += result.all
  }
  assert.equal(all, 269)
})
