import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { readWhole, writeWhole } from '../../src/codec/cell/wholeCell.ts'
import { openAccount, writeAccount } from '../../src/codec/tlb/Account.ts'
import { readTransaction, writeTransaction } from '../../src/codec/tlb/Transaction.ts'
import { fetchReplay } from '../../src/debug/replay/fetchReplay.ts'
import { formatReplayFile, parseReplayFile } from '../../src/debug/replay/replayFile.ts'
import { replayTransaction } from '../../src/debug/replay/replayTransaction.ts'
import { LiteserverError } from '../../src/devnet/liteserver/LiteFunction.ts'
import { liteFunctions } from '../../src/devnet/liteserver/Liteserver.ts'
import { parseAddress } from '../../src/primitives/Address.ts'
import { fromHex, toHex } from '../../src/primitives/hex.ts'
import { type ServedStore, serveStore } from '../support/debugLocalnet.ts'
import { loadLocalnetStore } from '../support/localnetStore.ts'
import { type RecordedTransaction, readRecordedTransactions } from '../support/recordedTransactions.ts'
import { closeSharedMachine, shareMachine } from '../support/testNetwork.ts'

const targetOf = ({ account, lt, hash }: RecordedTransaction) => ({
  address: parseAddress(account),
  lt: BigInt(lt),
  hash: fromHex(hash),
})

describe('replays of the recorded network over its liteserver', () => {
  const all = readRecordedTransactions()
  let served: ServedStore

  before(async () => {
    served = await serveStore(await loadLocalnetStore())
  })
  after(async () => {
    await served.close()
    await closeSharedMachine()
  })

  const replay = async (recorded: RecordedTransaction, chain = served.chain) =>
    fetchReplay(chain, await shareMachine(), targetOf(recorded), { signal: AbortSignal.timeout(30_000) })

  const inBlock = (block: string, account: string): RecordedTransaction[] =>
    all.filter((each) => each.block === block && each.account.startsWith(account))

  test('a sample of every chain is exact, the first blocks included', async () => {
    const basechain = all.filter(({ account }) => account.startsWith('0:'))
    const sample = [
      ...all.slice(0, 8),
      ...all.filter((_, k) => k % 97 === 0),
      ...basechain.filter((_, k) => k % 7 === 0),
    ]
    for (const recorded of sample) {
      const { verdict } = await replay(recorded)
      assert.equal(verdict.replay, 'exact', `${recorded.account} ${recorded.lt}`)
    }
  })

  test('tick and tock transactions of one block', async () => {
    const tickTock = inBlock('-1_8000000000000000_2', '-1:04f64c6afbff3dd1')
    assert.equal(tickTock.length, 4)
    for (const recorded of tickTock) assert.equal((await replay(recorded)).verdict.replay, 'exact')
  })

  test('five transactions of one account in a block: the fifth is exact', async () => {
    const five = inBlock('0_c000000000000000_88', '0:8a3cf375573cecb8')
    assert.equal(five.length, 5)
    const { verdict, inputs } = await replay(five[4]!)
    assert.equal(verdict.replay, 'exact')
    assert.equal(inputs.transactions.length, 5)
  })

  test('an earlier transaction that comes out differently is named', async () => {
    const five = inBlock('0_c000000000000000_88', '0:8a3cf375573cecb8')
    const { inputs } = await replay(five[4]!)
    const fourth = readWhole(inputs.transactions[3]!, readTransaction, 'A transaction')
    const wrong = writeWhole(writeTransaction, { ...fourth, now: fourth.now + 1 })
    const transactions = inputs.transactions.with(3, wrong)
    const source = { findLibrary: async () => undefined, getPreviousBlocks: async () => undefined }
    await assert.rejects(replayTransaction(await shareMachine(), { ...inputs, transactions }, source), {
      code: 'replay_failed',
      message: new RegExp(`${toHex(wrong.hash())} at logical time ${fourth.lt}`),
    })
  })

  test('the first transactions after a split come from the state of the parent', async () => {
    const halves = ['0_4000000000000000', '0_c000000000000000']
    for (const half of halves) {
      const first = all
        .filter(({ block }) => block.startsWith(half))
        .sort((a, b) => Number(BigInt(a.lt) - BigInt(b.lt)))[0]!
      assert.equal((await replay(first)).verdict.replay, 'exact')
    }
  })

  test('all inputs fit a file that replays offline', async () => {
    const { inputs, ...rest } = await replay(inBlock('0_c000000000000000_88', '0:8a3cf375573cecb8')[2]!)
    const text = formatReplayFile({ inputs, ...rest })
    const loaded = parseReplayFile(text)
    const again = await replayTransaction(await shareMachine(), loaded.inputs, loaded.source)
    assert.equal(again.verdict.replay, 'exact')
    assert.equal(formatReplayFile(again), text)
    for (const broken of [
      '',
      '{}',
      '[]',
      text.slice(0, 500),
      text.replace('"lt": "', '"lt": "9'),
      text.replace('te6', 'xx6'),
    ]) {
      assert.throws(() => parseReplayFile(broken), { code: 'replay_file_invalid' })
    }
  })

  test('a server that lies about the account is refused', async () => {
    const lying = await serveStore(await loadLocalnetStore(), {
      functions: {
        ...liteFunctions,
        'liteServer.getAccountState': async (context, args) => {
          const answer = await liteFunctions['liteServer.getAccountState']!(context, args)
          if (answer.state.length === 0) return answer
          const account = openAccount(decodeSingleBoc(answer.state))
          if (account.kind !== 'account') return answer
          const balance = { ...account.balance, grams: account.balance.grams + 1n }
          return { ...answer, state: encodeBoc([writeWhole(writeAccount, { ...account, balance })]) }
        },
      },
    })
    const recorded = inBlock('0_c000000000000000_89', '0:8a3cf375573cecb8')[0]!
    await assert.rejects(replay(recorded, lying.chain), { code: 'proof_failed' }).finally(() => lying.close())
  })

  test('a server without the state before the block: the block is named', async () => {
    const forgetful = await serveStore(await loadLocalnetStore(), {
      functions: {
        ...liteFunctions,
        'liteServer.getAccountState': () => {
          throw new LiteserverError(602, "state already gc'd")
        },
      },
    })
    const recorded = inBlock('0_c000000000000000_89', '0:8a3cf375573cecb8')[0]!
    const rejected = assert.rejects(replay(recorded, forgetful.chain), {
      code: 'state_not_kept',
      message: /\(0,c000000000000000,88\)/,
    })
    await rejected.finally(() => forgetful.close())
  })

  test('a logical time without a transaction', async () => {
    const recorded = inBlock('0_c000000000000000_89', '0:8a3cf375573cecb8')[0]!
    const target = { address: parseAddress(recorded.account), lt: BigInt(recorded.lt) + 1n }
    const signal = AbortSignal.timeout(30_000)
    await assert.rejects(fetchReplay(served.chain, await shareMachine(), target, { signal }), {
      code: 'transaction_not_found',
    })
  })
})
