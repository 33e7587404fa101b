import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PrunedBranchError } from '../../src/codec/cell/errors.ts'
import { PRUNED_BRANCH } from '../../src/codec/cell/exotic.ts'
import { decodeLiteAnswer, type LiteCall, type LiteFunctionName } from '../../src/codec/tl/liteQuery.ts'
import { openAccount } from '../../src/codec/tlb/Account.ts'
import { findConfigParam } from '../../src/codec/tlb/config/configParams.ts'
import { locateAccount, verifyAccountState } from '../../src/node/proofs/accountProofs.ts'
import { verifyBlockHeader, verifyLookup } from '../../src/node/proofs/blockProofs.ts'
import { verifyBlockTransactions, verifyBlockTransactionsExt } from '../../src/node/proofs/blockTransactionProofs.ts'
import { verifyBlockProofChain } from '../../src/node/proofs/chainProofs.ts'
import { verifyConfig, verifyLibraries, verifyLibrariesWithProof } from '../../src/node/proofs/configProofs.ts'
import { verifyQueueSize } from '../../src/node/proofs/queueProofs.ts'
import { verifyAllShards } from '../../src/node/proofs/shardProofs.ts'
import { verifyTransactionList } from '../../src/node/proofs/transactionProofs.ts'
import { type BlockId, type BlockIdExt, formatBlockId } from '../../src/primitives/BlockId.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { decodeLiteQuery } from '../support/decodeLiteQuery.ts'
import { listFixtures, readFixture } from '../support/fixtures.ts'
import { findProofCase, readPair } from '../support/liteProofs.ts'
import { LocalnetTrust } from '../support/localnetTrust.ts'
import { verifyMethodRun, verifyPrunedAccountState } from '../support/proofs/accountAnswers.ts'
import { verifyLookedUpHeader, verifyShardInfo, verifyValidatorStats } from '../support/proofs/blockAnswers.ts'
import { verifyDispatchQueueInfo, verifyDispatchQueueMessages } from '../support/proofs/dispatchQueues.ts'

const FOLDER = 'localnet/liteserver'
const WALLET_A = 'e866d9fab4ba70b50cd1380098690945d62ea6e386d28e1b37f3163a20bca786'
const LIBRARY = '0d1777a82b3bafadcab97f9d6b1ee9538e8fd940e50bbd2f0e3a398766597289'

const pairs = (): string[] => listFixtures(FOLDER, '.json').filter((path) => /\/\d{3}-/.test(path))

/** Question and answer of a recorded pair, by its number. */
const readNumber = <K extends LiteFunctionName>(number: string, kind: K) => {
  const path = pairs().find((each) => each.startsWith(`${FOLDER}/${number}-`))
  const { request, response } = readPair(path!)
  const { call } = decodeLiteQuery(request)
  const answer = decodeLiteAnswer(kind, response)
  assert.equal(call.kind, kind)
  assert.ok(answer.ok)
  return { call: call as LiteCall<K>, answer: answer.result }
}

const name = (id: BlockId): string => formatBlockId(id)

test('every recorded answer with a proof verifies', (t) => {
  const trust = new LocalnetTrust()
  const counts = new Map<string, number>()
  for (const path of pairs().filter((each) => !each.includes('malformed'))) {
    const { request, response } = readPair(path)
    const found = findProofCase(path, request, response, trust)
    if (found === undefined) continue
    assert.doesNotThrow(() => found.verify(found.answer), path)
    const kind = decodeLiteQuery(request).call.kind.replace('liteServer.', '')
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  t.diagnostic(`${total} answers: ${[...counts].map(([kind, count]) => `${kind} ${count}`).join(', ')}`)
  assert.equal(total, 93)
})

test('account states', () => {
  const trust = new LocalnetTrust()
  const prove = (number: string, trusted?: BlockIdExt) => {
    const { call, answer } = readNumber(number, 'liteServer.getAccountState')
    return verifyAccountState(trusted ?? call.id, call, answer)
  }
  const whole = prove('019')
  assert.ok(whole.kind === 'found')
  assert.equal(toHex(whole.account.hash()), WALLET_A)
  assert.equal(name(whole.block), '(-1,8000000000000000,395)')
  assert.equal(name(whole.shardBlock!), '(0,4000000000000000,587)')
  assert.deepEqual([whole.genUtime, whole.genLt], [1_794_712_423, 595_000_001n])
  const account = openAccount(whole.account)
  assert.ok(account.kind === 'account')
  assert.equal(account.balance.grams, 9_994_967_143_511n)
  // The history that was asked for next begins at the proven last transaction.
  const history = readNumber('054', 'liteServer.getTransactions').call
  assert.equal(whole.lastTransLt, history.lt)
  assert.deepEqual(whole.lastTransHash, history.hash)

  const prunedPair = readNumber('020', 'liteServer.getAccountStatePrunned')
  const pruned = verifyPrunedAccountState(prunedPair.call.id, prunedPair.call, prunedPair.answer)
  assert.ok(pruned.kind === 'found')
  assert.equal(toHex(pruned.account.hash(0)), WALLET_A)
  assert.deepEqual({ ...pruned, account: 0 }, { ...whole, account: 0 })

  // The code of the first wallet is a single cell, which no proof prunes; this one has more.
  const other = readNumber('025', 'liteServer.getAccountStatePrunned')
  const otherWallet = verifyPrunedAccountState(other.call.id, other.call, other.answer)
  assert.ok(otherWallet.kind === 'found')
  const readable = openAccount(otherWallet.account)
  assert.ok(readable.kind === 'account' && readable.state.kind === 'active')
  assert.equal(readable.state.init.code?.exoticType, PRUNED_BRANCH)

  for (const number of ['023', '026']) assert.equal(prove(number).kind, 'absent', number)
  const absentPair = readNumber('027', 'liteServer.getAccountStatePrunned')
  assert.equal(verifyPrunedAccountState(absentPair.call.id, absentPair.call, absentPair.answer).kind, 'absent')

  const masterchain = prove('024')
  assert.deepEqual(masterchain.block, masterchain.shardBlock)

  const byShard = prove('034')
  assert.ok(byShard.kind === 'found')
  assert.equal(toHex(byShard.account.hash()), WALLET_A)
  assert.equal(name(byShard.block), '(0,4000000000000000,587)')

  const latest = prove('035', trust.masterchainBlock(421))
  assert.equal(name(latest.block), '(-1,8000000000000000,421)')
  assert.equal(name(latest.shardBlock!), '(0,4000000000000000,626)')
})

test('an account without references stands whole in its proof', () => {
  const { call, answer } = readNumber('028', 'liteServer.getAccountState')
  const { entry } = locateAccount(call.id, call.account, answer, false)
  assert.equal(entry?.account.isExotic, false)
})

test('method runs', () => {
  for (const number of ['037', '038']) {
    const { call, answer } = readNumber(number, 'liteServer.runSmcMethod')
    const run = verifyMethodRun(call.id, call, answer)
    assert.equal(toHex(run.account!.hash(0)), WALLET_A)
    assert.equal(run.unproven.exitCode, 0)
  }
})

test('headers', () => {
  const prove = (number: string) => {
    const { call, answer } = readNumber(number, 'liteServer.getBlockHeader')
    return verifyBlockHeader(call.id, call, answer)
  }
  assert.equal(prove('012').stateHash, undefined)
  const stateHash = '5b43f63e27df568e06530216f914216ecb39b756cd3b6cbd4a876324cacfcc74'
  for (const number of ['013', '016', '017']) assert.equal(toHex(prove(number).stateHash!), stateHash)
  const merged = prove('098').prev.map(name)
  assert.deepEqual(merged, ['(0,4000000000000000,117)', '(0,c000000000000000,117)'])
  assert.deepEqual(prove('100').prev.map(name), ['(0,8000000000000000,22)'])
  assert.equal(prove('094').info.keyBlock, true)
})

test('blocks that were looked up', () => {
  const expected: Record<string, string> = {
    '077': '(-1,8000000000000000,395)',
    '078': '(-1,8000000000000000,395)',
    '079': '(-1,8000000000000000,395)',
    '080': '(0,4000000000000000,587)',
    '082': '(-1,8000000000000000,1)',
    '101': '(0,c000000000000000,23)',
  }
  for (const [number, id] of Object.entries(expected)) {
    const { call, answer } = readNumber(number, 'liteServer.lookupBlock')
    assert.equal(name(verifyLookedUpHeader(call, answer).id), id, number)
  }
  const proven: Record<string, readonly [id: string, masterchainSeqno: number]> = {
    '083': ['(0,4000000000000000,587)', 395],
    '084': ['(0,4000000000000000,587)', 395],
    '085': ['(0,4000000000000000,587)', 395],
    '086': ['(-1,8000000000000000,392)', 392],
  }
  for (const [number, [id, seqno]] of Object.entries(proven)) {
    const { call, answer } = readNumber(number, 'liteServer.lookupBlockWithProof')
    const found = verifyLookup(call.mcBlockId, call, answer)
    assert.equal(name(found.id), id, number)
    assert.equal(found.masterchainBlock.seqno, seqno, number)
  }
})

test('shards', () => {
  const expected: Record<string, string | undefined> = {
    '050': '(0,4000000000000000,587)',
    '051': '(0,c000000000000000,587)',
    '052': '(0,4000000000000000,587)',
    '053': undefined,
  }
  for (const [number, id] of Object.entries(expected)) {
    const { call, answer } = readNumber(number, 'liteServer.getShardInfo')
    const { shard } = verifyShardInfo(call.id, call, answer)
    assert.equal(shard && name(shard.id), id, number)
    if (shard !== undefined) assert.equal(shard.descr.regMcSeqno, 395)
  }
  const { call, answer } = readNumber('005', 'liteServer.getAllShardsInfo')
  const { shards } = verifyAllShards(call.id, answer)
  assert.deepEqual(
    shards.map(({ id }) => name(id)),
    ['(0,4000000000000000,587)', '(0,c000000000000000,587)'],
  )
})

type RecordedTransaction = {
  readonly block: string
  readonly account: string
  readonly lt: string
  readonly hash: string
}

/** All transactions of the blocks at hand as another library read them, in the order of account and time. */
const readTransactions = (): RecordedTransaction[] =>
  Buffer.from(readFixture('localnet/transactions.jsonl'))
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RecordedTransaction)
    .sort((a, b) => (a.account < b.account ? -1 : a.account > b.account ? 1 : Number(BigInt(a.lt) - BigInt(b.lt))))

test('histories are those that another library read', () => {
  const all = readTransactions()
  const ended: string[] = []
  for (const number of ['054', '055', '059', '061', '063', '065']) {
    const { call, answer } = readNumber(number, 'liteServer.getTransactions')
    const account = `${call.account.workchain}:${toHex(call.account.id)}`
    const { transactions, next } = verifyTransactionList(call, answer)
    const expected = all.filter((each) => each.account === account && BigInt(each.lt) <= call.lt).reverse()
    assert.deepEqual(
      transactions.map(({ hash }) => toHex(hash)),
      expected.slice(0, Math.min(call.count, 16)).map(({ hash }) => hash),
      number,
    )
    assert.equal(next && toHex(next.hash), expected[transactions.length]?.hash, number)
    if (next === undefined) ended.push(number)
  }
  assert.deepEqual(ended, ['063', '065'])
})

test('pages of transactions are those that another library read', () => {
  const expected = readTransactions().filter(({ block }) => block === '0_4000000000000000_92')
  assert.equal(expected.length, 20)
  const { call, answer } = readNumber('072', 'liteServer.listBlockTransactions')
  const page = verifyBlockTransactions(call.id, call, answer)
  assert.equal(page.isComplete, false)
  assert.deepEqual(
    page.transactions.map(({ account, lt, hash }) => [`0:${toHex(account)}`, `${lt}`, toHex(hash)]),
    expected.slice(0, 3).map(({ account, lt, hash }) => [account, lt, hash]),
  )
  const whole = readNumber('075', 'liteServer.listBlockTransactionsExt')
  const { transactions } = verifyBlockTransactionsExt(whole.call.id, whole.call, whole.answer)
  assert.deepEqual(
    transactions.map(({ transaction }) => transaction.hash()),
    page.transactions.map(({ hash }) => hash),
  )
})

test('chains of blocks', () => {
  const prove = (number: string) => {
    const { call, answer } = readNumber(number, 'liteServer.getBlockProof')
    return verifyBlockProofChain(answer, call.knownBlock, call.targetBlock)
  }
  const steps = (number: string): string[] =>
    prove(number).links.map(({ to, isKeyBlock }) => `${to.seqno}${isKeyBlock ? ' key' : ''}`)
  const expected: Record<string, string[]> = {
    '087': ['0 key', '66 key', '103 key', '395'],
    '088': ['66 key', '103 key', '395'],
    '089': ['1'],
    '090': ['0 key', '66 key', '103 key', '421'],
    '091': ['0 key', '66 key', '103 key', '395'],
    '095': ['103 key', '395'],
    '096': ['66 key', '103 key', '395'],
    '097': ['1'],
  }
  for (const [number, links] of Object.entries(expected)) assert.deepEqual(steps(number), links, number)
  const chain = prove('088')
  assert.equal(chain.lastKeyBlock?.seqno, 103)
  assert.equal(chain.isComplete, true)
  for (const { signed, header } of chain.links) {
    assert.deepEqual(signed, { signedWeight: 17n, isSessionKnown: true })
    assert.ok(header !== undefined)
  }
  assert.deepEqual(
    chain.links.map(({ header }) => header?.info.genCatchainSeqno),
    [0, 1, 4],
  )
  assert.equal(prove('089').lastKeyBlock, undefined)
})

test('configurations', () => {
  const trust = new LocalnetTrust()
  const all = readNumber('102', 'liteServer.getConfigAll')
  const ofState = verifyConfig(all.call.id, all.call, all.answer)
  assert.equal(ofState.params.config.entries().length, 26)
  assert.equal(findConfigParam(ofState.params.config, 8)?.version, 15)

  const fromKey = readNumber('103', 'liteServer.getConfigAll')
  const keyBlock = trust.masterchainBlock(103)
  const ofKeyBlock = verifyConfig(keyBlock, fromKey.call, fromKey.answer)
  assert.equal(ofKeyBlock.params.config.entries().length, 26)

  const some = readNumber('104', 'liteServer.getConfigParams')
  const { config } = verifyConfig(some.call.id, some.call, some.answer).params
  for (const id of some.call.paramList) {
    assert.deepEqual(config.find(id)?.hash(), ofState.params.config.find(id)?.hash(), `parameter ${id}`)
  }
  const unasked = ofState.params.config.entries().filter(([id]) => !some.call.paramList.includes(id))
  const refused = unasked.filter(([id]) => {
    try {
      return config.find(id) === undefined
    } catch (error) {
      assert.ok(error instanceof PrunedBranchError)
      return true
    }
  })
  assert.ok(refused.length > 10, `${refused.length} of ${unasked.length} are not proven`)

  const missing = readNumber('106', 'liteServer.getConfigParams')
  assert.equal(verifyConfig(missing.call.id, missing.call, missing.answer).params.config.find(99), undefined)
})

test('validator statistics', () => {
  const prove = (number: string) => {
    const { call, answer } = readNumber(number, 'liteServer.getValidatorStats')
    return verifyValidatorStats(call.id, call, answer)
  }
  const { creators, isComplete } = prove('107')
  assert.equal(isComplete, true)
  assert.equal(creators.length, 2)
  assert.ok(creators[0]?.creator.every((byte) => byte === 0))
  for (const { stats } of creators) {
    assert.deepEqual([stats.masterchain.total, stats.shards.total], [395n, 1095n])
  }
  const second = prove('108')
  assert.deepEqual([second.creators.length, second.isComplete], [1, false])
  assert.deepEqual(second.creators[0], creators[1])
})

test('libraries', () => {
  const plain = readNumber('110', 'liteServer.getLibraries')
  assert.deepEqual(
    verifyLibraries(plain.call, plain.answer).map(({ library }) => toHex(library.hash())),
    [LIBRARY],
  )
  const one = readNumber('112', 'liteServer.getLibrariesWithProof')
  const { found } = verifyLibrariesWithProof(one.call.id, one.call, one.answer)
  assert.equal(toHex(found[0]!.library!.hash()), LIBRARY)
  assert.equal(found[0]!.publishers?.length, 2)
  const both = readNumber('113', 'liteServer.getLibrariesWithProof')
  const proven = verifyLibrariesWithProof(both.call.id, both.call, both.answer)
  assert.deepEqual(
    proven.found.map(({ hash, library }) => [toHex(hash), library]),
    [[LIBRARY, undefined]],
  )
  assert.deepEqual(proven.missing.map(toHex), ['03'.repeat(32)])
})

test('queues', () => {
  for (const [number, size] of Object.entries({ '117': 0, '125': 26, '129': 16 })) {
    const { call, answer } = readNumber(number, 'liteServer.getBlockOutMsgQueueSize')
    assert.equal(verifyQueueSize(call.id, answer), size, number)
  }
  const account = '8d40d1bc04aa6b9c2bf4dcb31b9443d24365844783f92053c88b707e4ddc68c2'
  const infos: Record<string, readonly [number, bigint, bigint][]> = {
    '119': [],
    '122': [[10, 90_000_052n, 90_000_061n]],
    '126': [[30, 90_000_032n, 90_000_061n]],
  }
  for (const [number, expected] of Object.entries(infos)) {
    const { call, answer } = readNumber(number, 'liteServer.getDispatchQueueInfo')
    const { accounts, isComplete } = verifyDispatchQueueInfo(call.id, call, answer)
    assert.equal(isComplete, true)
    assert.deepEqual(
      accounts.map((each) => [toHex(each.account), each.size, each.minLt, each.maxLt]),
      expected.map((each) => [account, ...each]),
      number,
    )
  }
  const pages: Record<string, readonly [count: number, isComplete: boolean]> = {
    '121': [0, true],
    '123': [10, true],
    '127': [16, false],
  }
  for (const [number, [count, isComplete]] of Object.entries(pages)) {
    const { call, answer } = readNumber(number, 'liteServer.getDispatchQueueMessages')
    const page = verifyDispatchQueueMessages(call.id, call, answer)
    assert.deepEqual([page.messages.length, page.isComplete], [count, isComplete], number)
    for (const { account: sender, message, hash, metadata } of page.messages) {
      assert.equal(toHex(sender), account)
      assert.deepEqual(message?.hash(), hash)
      assert.equal(metadata?.depth, 0)
    }
  }
})
