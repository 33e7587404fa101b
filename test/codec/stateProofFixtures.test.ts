import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { decodeBoc, decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { PrunedBranchError } from '../../src/codec/cell/errors.ts'
import { readMerkleUpdate, unwrapMerkleProof } from '../../src/codec/cell/merkle.ts'
import { decodeLiteAnswer, type LiteFunctionName, type LiteQuery } from '../../src/codec/tl/liteQuery.ts'
import { openBlock } from '../../src/codec/tlb/Block.ts'
import { openMcStateExtra, openMcStateHistory } from '../../src/codec/tlb/McStateExtra.ts'
import { openShardAccounts, type ShardAccount } from '../../src/codec/tlb/ShardAccounts.ts'
import { openShardState, openStateTotals, type ShardStateUnsplit } from '../../src/codec/tlb/ShardState.ts'
import { parseAddress } from '../../src/primitives/Address.ts'
import { fromHex, toHex } from '../../src/primitives/hex.ts'
import { decodeLiteQuery } from '../support/decodeLiteQuery.ts'
import { haveFixtures, listFixtures, readFixture, readFixtureJson } from '../support/fixtures.ts'
import { Tally } from '../support/rewriteBlock.ts'
import { rewriteAccount, rewriteConfig, rewriteState } from '../support/rewriteState.ts'

const folder = 'localnet/liteserver'

type Pair = { readonly file: string; readonly request_tl_hex: string; readonly response_tl_hex: string }

/** The recorded answers to one function, each with what was asked; errors are left out. */
const listAnswers = <K extends LiteFunctionName>(name: K) =>
  listFixtures(folder, '.json').flatMap((file) => {
    const pair = readFixtureJson<Partial<Pair> & { readonly name?: string }>(file)
    if (pair.name !== name || pair.request_tl_hex === undefined || pair.response_tl_hex === undefined) return []
    const answer = decodeLiteAnswer(name, fromHex(pair.response_tl_hex))
    if (!answer.ok) return []
    return [{ file, asked: decodeLiteQuery(fromHex(pair.request_tl_hex)), result: answer.result }]
  })

/** The state in the second root of a proof, whose first root is a proof of the block that leads to it. */
const openProvenState = (bytes: Uint8Array, blockHash: Uint8Array): ShardStateUnsplit => {
  const [blockProof, stateProof] = decodeBoc(bytes)
  const { stateUpdate } = openBlock(unwrapMerkleProof(blockProof!, blockHash))
  return openStateOf(stateProof!, readMerkleUpdate(stateUpdate).after.hash(0))
}

const openStateOf = (proof: Cell, stateHash: Uint8Array): ShardStateUnsplit => {
  const state = openShardState(unwrapMerkleProof(proof, stateHash))
  assert(state.kind === 'unsplit')
  return state
}

/** As {@link openProvenState}, for answers that keep the two proofs apart. */
const openLinkedState = (blockProof: Uint8Array, stateProof: Uint8Array, blockHash: Uint8Array): ShardStateUnsplit => {
  const { stateUpdate } = openBlock(unwrapMerkleProof(decodeSingleBoc(blockProof), blockHash))
  return openStateOf(decodeSingleBoc(stateProof), readMerkleUpdate(stateUpdate).after.hash(0))
}

const openProvenExtra = ({ custom }: ShardStateUnsplit) => {
  assert(custom !== undefined)
  return openMcStateExtra(custom)
}

const accountIdOf = ({ call }: LiteQuery): Uint8Array => {
  assert(call.kind === 'liteServer.getAccountState' || call.kind === 'liteServer.getAccountStatePrunned')
  return call.account.id
}

test('accounts are found, or shown to be absent, in the state that each recorded answer proves', (t) => {
  const tally = new Tally()
  const answers = [...listAnswers('liteServer.getAccountState'), ...listAnswers('liteServer.getAccountStatePrunned')]
  for (const { file, asked, result } of answers) {
    const { shardblk, proof, state } = result
    const accounts = openShardAccounts(openProvenState(proof, shardblk.rootHash).accounts)
    const found: ShardAccount | undefined = accounts.find(accountIdOf(asked))
    assert.equal(found === undefined, state.length === 0, file)
    if (found === undefined) {
      tally.add('absent account')
      continue
    }
    if (file.includes('Prunned')) {
      const [stateProof] = decodeBoc(state)
      unwrapMerkleProof(stateProof!, found.account.hash(0))
      tally.add('account state with its cells pruned')
      continue
    }
    const cell = decodeSingleBoc(state)
    assert.equal(toHex(cell.hash()), toHex(found.account.hash(0)), file)
    const account = rewriteAccount(cell, tally)
    assert(account.kind === 'account')
    const leaf = accounts.findLeaf(accountIdOf(asked))
    assert.equal(account.balance.grams, leaf?.extra.balance.grams)
  }
  t.diagnostic(`${answers.length} answers: ${tally}`)
  assert.deepEqual([tally.counts.get('absent account'), answers.length], [3, 17])
})

test('whole states that a liteserver sent are written back to the same cells', (t) => {
  const tally = new Tally()
  for (const { result } of listAnswers('liteServer.getState')) {
    const root = decodeSingleBoc(result.data)
    assert.equal(toHex(root.hash()), toHex(result.rootHash))
    rewriteState(root, tally)
  }
  t.diagnostic(tally.toString())
  assert.equal(tally.counts.get('ShardState'), 2)
})

test('configuration, block counts, libraries and earlier blocks are read in the state that an answer proves', (t) => {
  const tally = new Tally()

  for (const { file, result } of listAnswers('liteServer.getConfigAll')) {
    if (result.stateProof.length === 0) continue
    const { config } = openProvenExtra(openLinkedState(result.stateProof, result.configProof, result.id.rootHash))
    rewriteConfig(config.config, tally)
    assert.equal(config.config.entries().length, 26, file)
  }
  assert.equal(tally.counts.get('configuration parameter'), 26)

  for (const { result } of listAnswers('liteServer.getValidatorStats')) {
    const extra = openProvenExtra(openLinkedState(result.stateProof, result.dataProof, result.id.rootHash))
    const { blockCreateStats } = openMcStateHistory(extra.history)
    const totals = blockCreateStats?.creators.find(new Uint8Array(32))
    if (totals === undefined) continue
    assert.deepEqual([totals.masterchain.total, totals.shards.total], [395n, 1095n])
    tally.add('block counts')
  }

  for (const { result } of listAnswers('liteServer.getLibrariesWithProof')) {
    const { libraries } = openStateTotals(
      openLinkedState(result.stateProof, result.dataProof, result.id.rootHash).totals,
    )
    for (const { hash, data } of result.result) {
      const descr = libraries.find(hash)
      assert.equal(toHex(descr!.lib.hash(0)), toHex(hash))
      assert.equal(descr!.publishers.entries().length, 2)
      if (data.length > 0) assert.equal(toHex(decodeSingleBoc(data).hash()), toHex(hash))
      tally.add('library')
    }
  }

  for (const { result } of listAnswers('liteServer.getBlockProof')) {
    for (const step of result.steps) {
      if (step.kind !== 'liteServer.blockLinkBack') continue
      const { history } = openProvenExtra(openLinkedState(step.proof, step.stateProof, step.from.rootHash))
      const entry = openMcStateHistory(history).prevBlocks.find(step.to.seqno)
      assert.deepEqual(
        [entry?.block.seqno, toHex(entry!.block.rootHash), toHex(entry!.block.fileHash)],
        [step.to.seqno, toHex(step.to.rootHash), toHex(step.to.fileHash)],
      )
      if (step.to.seqno === 0) assert(entry?.isKey)
      tally.add('back link')
    }
  }
  t.diagnostic(tally.toString())
  assert.deepEqual(
    [tally.counts.get('back link'), tally.counts.get('library'), tally.counts.get('block counts')],
    [5, 2, 3],
  )
})

test('a proof of many accounts that leaves out the totals of the state is enough to read the accounts', (t) => {
  if (!haveFixtures(t, 'mainnet/accounts') || !haveFixtures(t, 'mainnet/liteserver')) return
  const proof = decodeSingleBoc(
    readFixture('mainnet/liteserver/proofs/state-proof_tvm-replay-fat-block-66519406_0a241331.boc'),
  )
  const state = openStateOf(proof, fromHex('e84b20e20d049345242f5467746edf23fbac09318f8fdcb7d5df6b9174dad30f'))
  assert.throws(() => openStateTotals(state.totals), PrunedBranchError)
  type Entry = {
    readonly file: string
    readonly address: string
    readonly account_hash: string
    readonly last_trans_lt?: string
  }
  const accounts = openShardAccounts(state.accounts)
  let found = 0
  for (const entry of readFixtureJson<Entry[]>('mainnet/accounts/index.json')) {
    if (!entry.file.startsWith('block-71398501/')) continue
    const account = accounts.find(parseAddress(entry.address).hash)
    assert.equal(toHex(account!.account.hash(0)), entry.account_hash)
    assert.equal(String(account!.lastTransLt), entry.last_trans_lt)
    found++
  }
  t.diagnostic(`${found} accounts found`)
  assert.equal(found, 162)
  assert.throws(() => accounts.entries(), PrunedBranchError)
})

test('accounts recorded with their proof by other libraries are found in the state it proves', (t) => {
  if (!haveFixtures(t, 'mainnet/liteserver/accounts')) return
  type Recorded = { readonly account: string; readonly state: string; readonly proof: string }
  const recorded = readFixtureJson<Recorded>('mainnet/liteserver/accounts/testnet_0_e33ed33a42eb.json')
  const proof = new Uint8Array(Buffer.from(recorded.proof, 'base64'))
  const blockHash = fromHex('8c216df11711a770922b0a1bdec5a3ceb9514cd59e355b8b26521f7153daf02b')
  const state = openProvenState(proof, blockHash)
  assert.equal(state.seqno, 24263799)
  const found = openShardAccounts(state.accounts).find(parseAddress(recorded.account).hash)
  const cell = decodeSingleBoc(new Uint8Array(Buffer.from(recorded.state, 'base64')))
  assert.equal(toHex(found!.account.hash(0)), toHex(cell.hash()))
  rewriteAccount(cell, new Tally())
})
