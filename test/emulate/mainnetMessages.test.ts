import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { LiveNode } from '../../src/chain/LiveChain.ts'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { openCell } from '../../src/codec/cell/CellReader.ts'
import { openAccountBlocks } from '../../src/codec/tlb/Block.ts'
import { readCommonMsgInfo } from '../../src/codec/tlb/Message.ts'
import { readTransaction } from '../../src/codec/tlb/Transaction.ts'
import { emulate } from '../../src/emulate/emulate.ts'
import { AccountStates, type ChainContext } from '../../src/emulate/World.ts'
import type { Address } from '../../src/primitives/Address.ts'
import type { BlockIdExt } from '../../src/primitives/BlockId.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { haveFixtures } from '../support/fixtures.ts'
import { MAINNET_BLOCK, readMainnetBlock } from '../support/mainnetBlock.ts'
import { closeSharedMachine, shareMachine } from '../support/testNetwork.ts'

after(closeSharedMachine)

const LIMITS = { transactions: 100, depth: 20, gas: 100_000_000n, timeMs: 60_000 }

/** A transaction of the block, and how many of its account came before it there. */
type Recorded = { readonly lt: bigint; readonly cell: Cell; readonly inMsg: Cell | undefined; readonly earlier: number }

test('case 1: external messages of the main network, emulated at their block, give the recorded transactions cell by cell', async (t) => {
  if (!haveFixtures(t, MAINNET_BLOCK)) return
  const { info, extra, config, libraries, previousBlocks, findAccount } = readMainnetBlock()
  const block: BlockIdExt = { ...info, rootHash: new Uint8Array(32), fileHash: new Uint8Array(32) }
  const recorded: Recorded[] = []
  for (const [, { transactions }] of openAccountBlocks(extra).entries()) {
    for (const [earlier, [lt, cell]] of transactions.entries().entries()) {
      recorded.push({ lt, cell, inMsg: readTransaction(openCell(cell)).inMsg, earlier })
    }
  }
  const place: ChainContext = {
    block,
    context: {
      config,
      randomSeed: extra.randSeed,
      previousBlocks,
      findLibrary: async (hash) => libraries.find((library) => library.hasHash(hash)),
    },
    hasExtraFlags: true,
  }
  const node = {
    getAccountState: async ({ hash }: Address) => {
      const known = findAccount(hash)
      const found = known && {
        account: known.account,
        lastTransaction: { hash: known.lastTransHash, lt: known.lastTransLt },
      }
      return { shardBlock: block, found, genUtime: info.genUtime, genLt: info.startLt }
    },
  } as unknown as LiveNode
  const hashes = new Set(recorded.map(({ cell }) => toHex(cell.hash())))
  const vm = await shareMachine()
  let [roots, children] = [0, 0]
  for (const { lt, cell, inMsg, earlier } of recorded) {
    if (inMsg === undefined || earlier > 0 || readCommonMsgInfo(openCell(inMsg)).kind !== 'externalIn') continue
    const states = new AccountStates(node, block)
    const momentOf = () => ({ now: info.genUtime, lt })
    const { transactions, isRefused } = await emulate({ vm, place, states, limits: LIMITS, momentOf }, [inMsg])
    assert.equal(isRefused, false)
    assert.equal(toHex(transactions[0]!.cell.hash()), toHex(cell.hash()), `the transaction at lt ${lt}`)
    roots++
    children += transactions.slice(1).filter((each) => hashes.has(toHex(each.cell.hash()))).length
  }
  t.diagnostic(`${roots} messages, and ${children} further transactions of the same block`)
  assert.ok(roots > 0)
})
