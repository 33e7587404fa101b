import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openCell } from '../../src/codec/cell/CellReader.ts'
import { decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { accountNoneCell } from '../../src/codec/tlb/Account.ts'
import { openAccountBlocks } from '../../src/codec/tlb/Block.ts'
import type { ShardAccount } from '../../src/codec/tlb/ShardAccounts.ts'
import { type AccountBlock, readTransaction } from '../../src/codec/tlb/Transaction.ts'
import { readVmStackValue } from '../../src/codec/tlb/VmStack.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { ExecutorConfig } from '../../src/tvm/executor/ExecutorConfig.ts'
import { executeTransaction } from '../../src/tvm/executor/executeTransaction.ts'
import type { ExecuteInput } from '../../src/tvm/executor/TransactionState.ts'
import { fromVmValue } from '../../src/tvm/machine/stackValues.ts'
import type { Value } from '../../src/tvm/machine/values.ts'
import { encodePreviousBlocks } from '../../src/tvm/previousBlocks.ts'
import { haveFixtures } from '../support/fixtures.ts'
import { MAINNET_BLOCK, readMainnetBlock } from '../support/mainnetBlock.ts'
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

test('all transactions of a block of the main network come out the same', (t) => {
  if (!haveFixtures(t, MAINNET_BLOCK)) return
  const { info, extra, config: root, libraries, previousBlocks, findAccount } = readMainnetBlock()
  const config = new ExecutorConfig(root)
  const context: BlockContext = {
    config,
    blockLt: info.startLt,
    randomSeed: extra.randSeed,
    libraries,
    previousBlocks: readValue(encodePreviousBlocks(previousBlocks, config.version)),
  }
  let all = 0
  for (const [hash, accountBlock] of openAccountBlocks(extra).entries()) {
    const result = rerun(0, hash, findAccount(hash) ?? NO_ACCOUNT, accountBlock, context)
    assert.deepEqual(result.different, [], `account 0:${toHex(hash)}`)
    all += result.all
  }
  assert.equal(all, 269)
})
