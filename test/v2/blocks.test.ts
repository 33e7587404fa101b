import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Address, Cell, loadTransaction } from '@ton/core'
import type { LiteFunction } from '../../src/devnet/liteserver/LiteFunction.ts'
import { liteFunctions } from '../../src/devnet/liteserver/Liteserver.ts'
import { parseAddress } from '../../src/primitives/Address.ts'
import { listenStore } from '../support/listenStore.ts'
import { loadLocalnetStore } from '../support/localnetStore.ts'
import { getV2 } from '../support/v2Client.ts'
import { startV2Localnet } from '../support/v2Localnet.ts'
import { askEveryWay, assertRefused } from '../support/v2Oracle.ts'
import { startV2Network, type V2NetworkService } from '../support/v2Service.ts'
import { startV2OverServers } from '../support/v2Store.ts'
import type { Json } from '../support/v3Client.ts'

const whole = '-9223372036854775808'
const wrongHash = '11'.repeat(32)
const transfers = 12

describe('v2 blocks', () => {
  let service: V2NetworkService
  let head: Json
  /** A shard block with all transfers of the faucet in it. */
  let busy: Json

  const ask = (name: string, args: { readonly [name: string]: unknown } = {}): Promise<Json> =>
    askEveryWay(service.url, name, args)
  const placeOf = ({ workchain, shard, seqno }: Json) => ({ workchain, shard, seqno })

  before(async () => {
    service = await startV2Network({ network: { shards: 2 } })
    // Nodes do not find the first block of all by a time: blocks that are looked up so are of another second.
    await service.network.controls.moveClock(5)
    for (let number = 0; number < transfers; number++) {
      await service.network.controls.faucet(parseAddress(`0:${`0${number}`.slice(-2).repeat(32)}`), 1_000_000_000n)
    }
    await service.mine(4)
    head = (await ask('getMasterchainInfo')).last
    const lists = await Promise.all(
      Array.from({ length: head.seqno }, async (_, at) => {
        const { shards } = await ask('getShards', { seqno: at + 1 })
        return Promise.all(
          shards
            .filter(({ seqno }: Json) => seqno > 0)
            .map((id: Json) => ask('getBlockTransactions', { ...placeOf(id), count: 1000 })),
        )
      }),
    )
    busy = lists.flat().toSorted((a, b) => b.transactions.length - a.transactions.length)[0]
  })
  after(() => service.close())

  it('names the newest blocks of all shards, under both names', async () => {
    const { shards } = await ask('getShards', { seqno: head.seqno })
    assert.deepEqual(
      shards.map(({ workchain, shard }: Json) => [workchain, shard]),
      [
        [0, '4611686018427387904'],
        [0, '-4611686018427387904'],
      ],
    )
    assert.deepEqual((await ask('shards', { seqno: head.seqno })).shards, shards)
  })

  it('finds a block by its number, a logical time or a time', async () => {
    const { shards } = await ask('getShards', { seqno: head.seqno - 1 })
    for (const id of [head, ...shards]) {
      const { workchain, shard } = id
      assert.deepEqual(await ask('lookupBlock', placeOf(id)), id)
      const { start_lt, end_lt, gen_utime } = await ask('getBlockHeader', placeOf(id))
      assert.deepEqual(await ask('lookupBlock', { workchain, shard, lt: end_lt }), id)
      assert.deepEqual(await ask('lookupBlock', { workchain, shard, lt: start_lt }), id)
      const found = await ask('lookupBlock', { workchain, shard, unixtime: gen_utime })
      assert.equal((await ask('getBlockHeader', placeOf(found))).gen_utime, gen_utime)
      assert.ok(found.seqno <= id.seqno)
    }
  })

  it('takes a shard for the start of an account', async () => {
    const [left, right] = (await ask('getShards', { seqno: head.seqno })).shards
    assert.deepEqual(await ask('lookupBlock', { ...placeOf(left), shard: '0' }), left)
    assert.deepEqual(await ask('lookupBlock', { ...placeOf(right), shard: whole }), right)
    assert.deepEqual(await ask('lookupBlock', { ...placeOf(right), shard: '-1' }), right)
  })

  it('tells the header of a block, looked up or named whole', async () => {
    const header = await ask('getBlockHeader', placeOf(head))
    assert.deepEqual(header.id, head)
    const { root_hash, file_hash } = head
    assert.deepEqual(await ask('getBlockHeader', { ...placeOf(head), root_hash, file_hash }), header)
    assert.deepEqual(await ask('getBlockHeader', { ...placeOf(head), root_hash: wrongHash }), header)
    const [previous] = header.prev_blocks
    assert.equal(previous.seqno, head.seqno - 1)
    const before = await ask('getBlockHeader', placeOf(previous))
    assert.deepEqual(before.id, previous)
    assert.ok(BigInt(before.end_lt) < BigInt(header.start_lt))
    assert.equal((await ask('getBlockHeader', placeOf(busy.id))).prev_key_block_seqno, 0)
  })

  it('shows the signatures under a masterchain block', async () => {
    const { id, signatures, ...rest } = await ask('getMasterchainBlockSignatures', { seqno: head.seqno })
    assert.deepEqual(id, head)
    assert.equal(signatures.length, 1)
    assert.equal(Buffer.from(signatures[0].signature, 'base64').length, 64)
    assert.match(rest['@type'], /^blocks\.blockSignatures(\.simplex)?$/)
    const text = /^LITE_SERVER_NOTREADY: cannot find block \(-1,8000000000000000\) seqno=0: ltdb: block not found$/
    await assertRefused(service.url, 'getMasterchainBlockSignatures', { seqno: 1 }, { status: 500, text })
  })

  it('proves a shard block from the newest masterchain block, or from an older one', async () => {
    const proof = await ask('getShardBlockProof', placeOf(busy.id))
    assert.deepEqual(proof.from, head)
    assert.deepEqual(proof.links.at(-1).id, busy.id)
    assert.equal(proof.mc_proof.length, proof.mc_id.seqno === head.seqno ? 0 : 1)
    assert.ok(Cell.fromBase64(proof.links[0].proof).isExotic)
    const older = await ask('getShardBlockProof', { ...placeOf(busy.id), from_seqno: proof.mc_id.seqno })
    assert.deepEqual([older.from, older.mc_id, older.mc_proof], [proof.mc_id, proof.mc_id, []])
    const early = { ...placeOf(busy.id), from_seqno: proof.mc_id.seqno - 1 }
    const text = 'from mc block is too old'
    await assertRefused(service.url, 'getShardBlockProof', early, { status: 500, text })
    const ofMaster = await ask('getShardBlockProof', { workchain: -1, shard: whole, seqno: 2 })
    assert.deepEqual([ofMaster.links, ofMaster.mc_proof[0].to.seqno], [[], 2])
  })

  it('counts the messages that wait', async () => {
    const { shards, ext_msg_queue_size_limit } = await ask('getOutMsgQueueSize')
    assert.deepEqual(
      shards.map(({ id }: Json) => id.workchain),
      [-1, 0, 0],
    )
    assert.deepEqual(shards[0].id, head)
    assert.ok(ext_msg_queue_size_limit > 0)
  })

  it('lists the transactions of a block, page by page the same', async () => {
    const args = placeOf(busy.id)
    const everything = busy.transactions
    assert.ok(everything.length > 5)
    assert.equal(busy.incomplete, false)
    const accounts = everything.map(({ account, lt }: Json) => `${account} ${lt.padStart(20, '0')}`)
    assert.deepEqual(accounts, accounts.toSorted())
    const paged: Json[] = []
    for (let after = {}; ; ) {
      const page = await ask('getBlockTransactions', { ...args, count: 2, ...after })
      assert.equal(page.req_count, 2)
      paged.push(...page.transactions)
      if (!page.incomplete) break
      const { account, lt } = page.transactions.at(-1)
      after = { after_hash: account, after_lt: lt }
    }
    assert.deepEqual(paged, everything)
  })

  it('takes the account of a cursor in every form', async () => {
    const [first, ...others] = busy.transactions
    const { hash } = Address.parseRaw(first.account)
    const forms = [
      first.account,
      first.account.toUpperCase(),
      Address.parseRaw(first.account).toString({ bounceable: false }),
      hash.toString('hex'),
      hash.toString('base64'),
      hash.toString('base64url'),
    ]
    for (const after_hash of forms) {
      const page = await ask('getBlockTransactions', {
        ...placeOf(busy.id),
        after_lt: first.lt,
        after_hash,
        count: 1000,
      })
      assert.deepEqual(page.transactions, others)
    }
  })

  it('lists them whole, too', async () => {
    const { transactions, ...list } = await ask('getBlockTransactionsExt', { ...placeOf(busy.id), count: 1000 })
    assert.deepEqual(list, { ...list, id: busy.id, req_count: 1000, incomplete: false })
    assert.deepEqual(
      transactions.map(({ account, transaction_id: { lt, hash } }: Json) => [account.toLowerCase(), lt, hash]),
      busy.transactions.map(({ account, lt, hash }: Json) => [account, lt, hash]),
    )
    for (const { data, transaction_id, utime, out_msgs } of transactions) {
      const cell = Cell.fromBase64(data)
      assert.equal(cell.hash().toString('base64'), transaction_id.hash)
      const { now, outMessagesCount } = loadTransaction(cell.beginParse())
      assert.deepEqual([now, outMessagesCount], [utime, out_msgs.length])
    }
  })

  it('refuses what it cannot serve, in the known words', async () => {
    const place = placeOf(head)
    const refused = async (name: string, args: Json, status: number, text: string | RegExp): Promise<void> =>
      assertRefused(service.url, name, args, { status, text })
    const positive = 'failed to validate request: seqno should be positive'
    for (const name of ['getShards', 'shards', 'getMasterchainBlockSignatures']) {
      await refused(name, {}, 422, positive)
      await refused(name, { seqno: 0 }, 422, positive)
      await refused(name, { seqno: 'abc' }, 422, 'failed to parse get request: failed to parse seqno')
      await refused(name, { seqno: 10_000 }, 500, /^LITE_SERVER_NOTREADY: cannot find block /)
    }
    const lists = ['getBlockTransactions', 'getBlockTransactionsExt']
    for (const name of ['lookupBlock', 'getBlockHeader', ...lists]) {
      await refused(name, { ...place, workchain: 'x' }, 422, 'failed to parse get request: failed to parse workchain')
      await refused(name, { ...place, shard: '8e3' }, 422, 'failed to parse get request: failed to parse shard')
    }
    for (const name of ['getBlockHeader', ...lists]) {
      const hashes = { root_hash: wrongHash, file_hash: wrongHash }
      await refused(name, { ...place, ...hashes }, 500, /^LITE_SERVER_NOTREADY: /)
    }
    for (const name of lists) {
      const valid = 'failed to validate request: '
      await refused(name, { ...place, count: 0 }, 422, `${valid}count should be positive`)
      await refused(name, { ...place, count: 10_001 }, 422, `${valid}count should be less or equal 10000`)
      const halves = `${valid}after_lt and after_hash should be used together`
      await refused(name, { ...place, after_lt: 5 }, 422, halves)
      await refused(name, { ...place, after_hash: wrongHash }, 422, halves)
    }
    const one = 'failed to validate request: exactly one of seqno, lt, unixtime should be specified'
    await refused('lookupBlock', { workchain: -1, shard: whole }, 422, one)
    await refused('lookupBlock', { ...place, lt: 1 }, 422, one)
    const missing = await getV2(`${service.url}/api/v2`, 'getShardBlockProof', { workchain: 0, seqno: 1 })
    assert.equal(missing.body.error, 'failed to parse get request: shard required')
  })
})

/** As a node may: of the blocks of one second it gives the last. */
const findLastOfSecond: LiteFunction<'liteServer.lookupBlockWithProof'> = (context, args) => {
  const lookUp = liteFunctions['liteServer.lookupBlockWithProof']!
  const { workchain, shard } = args.id
  const { index } = context.store
  const found = args.utime === undefined ? undefined : index.findByUtime(workchain, shard, args.utime)
  const next = found && index.findBySeqno(workchain, shard, found.id.seqno + 1)
  if (next === undefined || next.genUtime !== found?.genUtime) return lookUp(context, args)
  const { utime, ...others } = args
  return lookUp(context, { ...others, mode: 2, lt: next.endLt })
}

describe('v2 blocks of the recorded network', () => {
  it('finds the first of several blocks of one second', async (t) => {
    const store = await loadLocalnetStore()
    const functions = { ...liteFunctions, 'liteServer.lookupBlockWithProof': findLastOfSecond }
    const service = await startV2OverServers(store, [await listenStore(store, { functions })])
    t.after(() => service.close())
    const ask = async (name: string, args: Json): Promise<Json> =>
      (await getV2(`${service.url}/api/v2`, name, args)).body.result
    const master = { workchain: -1, shard: whole }
    const left = { workchain: 0, shard: '4611686018427387904' }
    // The blocks whose second the next one shares.
    for (const [place, first] of [
      ...[66, 103, 111, 278].map((seqno) => [master, seqno] as const),
      [left, 413] as const,
    ]) {
      const header = await ask('getBlockHeader', { ...place, seqno: first })
      const { gen_utime: unixtime } = await ask('getBlockHeader', { ...place, seqno: first + 1 })
      assert.equal(header.gen_utime, unixtime)
      assert.deepEqual(await ask('lookupBlock', { ...place, unixtime }), header.id)
    }
  })

  it('shows signatures of the simplex consensus', async (t) => {
    const service = await startV2Localnet()
    t.after(() => service.close())
    const signed = await askEveryWay(service.url, 'getMasterchainBlockSignatures', { seqno: 104 })
    assert.equal(signed['@type'], 'blocks.blockSignatures.simplex')
    assert.equal(signed.id.seqno, 104)
  })
})
