import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { haveDatabase, openFreshDatabase } from '../support/database.ts'
import { closeSharedMachine } from '../support/testNetwork.ts'
import { getV2 } from '../support/v2Client.ts'
import { getV3, type Json } from '../support/v3Client.ts'
import { askBothWays, assertV3Refused } from '../support/v3Oracle.ts'
import { serveV3, startV3Network, type V3NetworkService } from '../support/v3Service.ts'

after(closeSharedMachine)

const toHex = (base64: string): string => Buffer.from(base64, 'base64').toString('hex')
const idOf = ({ workchain, shard, seqno }: Json): string => `${workchain}:${shard}:${seqno}`
const signed = (shard: string): bigint => BigInt.asIntN(64, BigInt(`0x${shard}`))
const compare = (a: bigint | number, b: bigint | number): number => (a < b ? -1 : a > b ? 1 : 0)

/** By time in the one direction, and then by place. */
const inOrder = (blocks: readonly Json[], direction: 1 | -1): Json[] =>
  [...blocks].sort(
    (a, b) =>
      direction * compare(Number(a.gen_utime), Number(b.gen_utime)) ||
      compare(a.workchain, b.workchain) ||
      compare(signed(a.shard), signed(b.shard)) ||
      compare(a.seqno, b.seqno),
  )

/** Every block, by the masterchain blocks that include them. */
const listAll = async (url: string, first: number, last: number): Promise<Json[]> => {
  const all: Json[] = []
  for (let seqno = first; seqno <= last; seqno++) {
    const { blocks } = await askBothWays(url, 'masterchainBlockShards', { seqno, limit: 1000 })
    assert.ok(blocks.every(({ masterchain_block_ref }: Json) => masterchain_block_ref.seqno === seqno))
    all.push(...blocks)
  }
  return all
}

const openNetwork = async (t: Parameters<typeof openFreshDatabase>[0]): Promise<V3NetworkService> => {
  const service = await startV3Network(t, await openFreshDatabase(t), { network: { demo: true, shards: 2 } })
  const { controls } = service.network
  await controls.mine(3)
  // A merge and a split: blocks that follow two others, and two that follow one.
  await controls.reshard('merge')
  await controls.mine(6)
  await controls.reshard('split')
  await controls.moveClock(90)
  await service.mine(6)
  return service
}

test('blocks by everything that leads to them', async (t) => {
  if (!haveDatabase(t)) return
  const service = await openNetwork(t)
  const { url } = service
  const ask = (name: string, args: object = {}): Promise<Json> => askBothWays(url, name, { ...args })
  const listBlocks = async (args: object): Promise<Json[]> => (await ask('blocks', { limit: 1000, ...args })).blocks
  const { first, last } = await ask('masterchainInfo')
  assert.equal(first.seqno, 1)
  assert.equal(last.seqno, service.network.controls.getStatus().head.seqno)
  const all = await listAll(url, 1, last.seqno)
  const newest = inOrder(all, -1)
  assert.deepEqual(await listBlocks({}), newest)
  assert.deepEqual(await listBlocks({ sort: 'asc' }), inOrder(all, 1))
  assert.deepEqual((await ask('blocks')).blocks, newest.slice(0, 10))

  await t.test('as v2 tells of them', async () => {
    const v2 = async (name: string, args: object): Promise<Json> =>
      (await getV2(`${url}/api/v2`, name, { ...args })).body.result
    const { last: head } = await v2('getMasterchainInfo', {})
    assert.deepEqual([last.seqno, last.root_hash, last.file_hash], [head.seqno, head.root_hash, head.file_hash])
    for (const block of all.filter((_, place) => place % 3 === 0)) {
      const { workchain, seqno } = block
      const place = { workchain, shard: String(signed(block.shard)), seqno }
      const told = await v2('getBlockHeader', place)
      for (const name of ['root_hash', 'file_hash']) assert.equal(block[name], told.id[name])
      for (const name of [
        'global_id',
        'version',
        'after_merge',
        'after_split',
        'before_split',
        'want_merge',
        'want_split',
      ]) {
        assert.equal(block[name], told[name], name)
      }
      assert.deepEqual(
        [block.start_lt, block.end_lt, Number(block.gen_utime), block.key_block],
        [told.start_lt, told.end_lt, told.gen_utime, told.is_key_block],
      )
      assert.deepEqual(
        // There the key block before it is told of masterchain blocks only.
        [block.min_ref_mc_seqno, workchain === -1 ? block.prev_key_block_seqno : 0, block.gen_catchain_seqno],
        [told.min_ref_mc_seqno, told.prev_key_block_seqno, told.catchain_seqno],
      )
      assert.deepEqual(
        block.prev_blocks.map((each: Json) => [each.workchain, String(signed(each.shard)), each.seqno]),
        told.prev_blocks.map((each: Json) => [each.workchain, each.shard, each.seqno]),
      )
      const { transactions } = await v2('getBlockTransactions', { ...place, count: 1000 })
      assert.equal(block.tx_count, transactions.length)
    }
    for (let seqno = 1; seqno <= last.seqno; seqno++) {
      const { shards } = await v2('shards', { seqno })
      const { blocks } = await ask('masterchainBlockShardState', { seqno })
      const [master, ...tops] = blocks
      assert.deepEqual([master.workchain, master.seqno], [-1, seqno])
      assert.deepEqual(
        tops.map((each: Json) => [String(signed(each.shard)), each.seqno, each.root_hash]),
        shards
          .filter((each: Json) => each.seqno > 0)
          .map((each: Json) => [each.shard, each.seqno, each.root_hash])
          .sort((a: Json, b: Json) => compare(BigInt(a[0]), BigInt(b[0]))),
      )
    }
  })

  await t.test('after a merge and a split', () => {
    assert.ok(all.some(({ prev_blocks, after_merge }) => after_merge && prev_blocks.length === 2))
    const halves = all.filter(({ after_split }) => after_split)
    assert.equal(new Set(halves.map(({ prev_blocks }) => idOf(prev_blocks[0]))).size, halves.length / 2)
    const known = new Set(all.map(idOf))
    for (const { prev_blocks } of all) {
      for (const previous of prev_blocks) assert.ok(previous.seqno === 0 || known.has(idOf(previous)), idOf(previous))
    }
  })

  await t.test('every filter, alone and with others', async () => {
    const some = newest[Math.floor(newest.length / 2)]
    const { workchain, shard, seqno, root_hash, file_hash, start_lt } = newest.find((it) => it.workchain === 0)
    const keep = (is: (block: Json) => boolean): Json[] => newest.filter(is)
    const utime = Number(some.gen_utime)
    const cases: readonly [object, (block: Json) => boolean][] = [
      [{ workchain: -1 }, (it) => it.workchain === -1],
      [{ workchain: 7 }, () => false],
      [{ workchain, shard }, (it) => it.workchain === 0 && it.shard === shard],
      [{ shard: `0x${shard}` }, (it) => it.shard === shard],
      [{ shard: String(signed(shard)) }, (it) => it.shard === shard],
      [{ seqno: 3 }, (it) => it.seqno === 3],
      [{ workchain, shard, seqno }, (it) => it.root_hash === root_hash],
      [{ root_hash }, (it) => it.root_hash === root_hash],
      [{ root_hash: toHex(root_hash), workchain: -1 }, () => false],
      [{ file_hash: `0x${toHex(file_hash)}` }, (it) => it.file_hash === file_hash],
      [{ mc_seqno: 4 }, (it) => it.masterchain_block_ref.seqno === 4],
      [{ mc_seqno: 4, workchain: 0 }, (it) => it.masterchain_block_ref.seqno === 4 && it.workchain === 0],
      [{ mc_seqno: 1_000_000 }, () => false],
      [{ start_utime: utime }, (it) => Number(it.gen_utime) >= utime],
      [{ end_utime: `${utime}.9` }, (it) => Number(it.gen_utime) <= utime],
      [{ start_utime: utime, end_utime: utime }, (it) => Number(it.gen_utime) === utime],
      [{ start_utime: 4_294_967_295 }, () => false],
      [{ end_utime: 4_294_967_295 }, () => true],
      [{ start_lt }, (it) => BigInt(it.start_lt) >= BigInt(start_lt)],
      [{ end_lt: start_lt }, (it) => BigInt(it.start_lt) <= BigInt(start_lt)],
      [{ start_lt: some.start_lt, end_lt: some.start_lt }, (it) => it.start_lt === some.start_lt],
      [{ start_lt: '18446744073709551615' }, () => false],
      [{ end_lt: '18446744073709551615' }, () => true],
      [
        { end_lt: some.start_lt, workchain: 0 },
        (it) => it.workchain === 0 && BigInt(it.start_lt) <= BigInt(some.start_lt),
      ],
    ]
    for (const [args, is] of cases) assert.deepEqual(await listBlocks(args), keep(is), JSON.stringify(args))
  })

  await t.test('page by page, by cursor and by offset', async () => {
    for (const args of [{}, { sort: 'asc' }, { workchain: 0, sort: 'asc' }, { workchain: -1 }, { start_utime: 1 }]) {
      const whole = await listBlocks(args)
      const byCursor: Json[] = []
      const byOffset: Json[] = []
      let cursor: string | undefined
      do {
        const { body, headers } = await getV3(`${url}/api/v3`, 'blocks', { ...args, limit: 7, cursor })
        byCursor.push(...body.blocks)
        byOffset.push(...(await ask('blocks', { ...args, limit: 7, offset: byOffset.length })).blocks)
        cursor = headers.get('x-next-cursor') ?? undefined
      } while (cursor !== undefined)
      assert.deepEqual(byCursor, whole)
      assert.deepEqual(byOffset, whole)
    }
    const { blocks } = await ask('masterchainBlockShards', { seqno: 4, limit: 1000 })
    assert.deepEqual(blocks, await listBlocks({ mc_seqno: 4 }))
    assert.deepEqual((await ask('masterchainBlockShards', { seqno: 4, limit: 1, offset: 1 })).blocks, [blocks[1]])
    const reversed = await ask('masterchainBlockShards', { seqno: 4, sort: 'asc' })
    assert.deepEqual(reversed.blocks, inOrder(blocks, 1))
  })

  await t.test('what is refused', async () => {
    const refuse = (name: string, args: object, status: number, text: string | RegExp): Promise<void> =>
      assertV3Refused(url, name, { ...args }, status, text)
    for (const name of ['masterchainBlockShards', 'masterchainBlockShardState']) {
      await refuse(name, {}, 422, 'seqno is required')
      await refuse(name, { seqno: 'x' }, 422, 'failed to decode: schema: error converting value for "seqno"')
      await refuse(name, { seqno: '' }, 422, /"seqno"$/)
      await refuse(name, { seqno: 99_999_999 }, 404, 'blocks not found')
    }
    for (const name of ['workchain', 'shard', 'seqno', 'root_hash', 'file_hash', 'mc_seqno', 'start_utime', 'end_lt']) {
      await refuse('blocks', { [name]: 'zz' }, 422, `failed to decode: schema: error converting value for "${name}"`)
    }
    await refuse('blocks', { limit: 1001 }, 422, 'limit is not allowed: 1001 > 1000')
    await refuse('blocks', { sort: 'up' }, 422, 'wrong value for sort parameter')
    const { headers } = await getV3(`${url}/api/v3`, 'blocks', { limit: 2 })
    await refuse('blocks', { cursor: headers.get('x-next-cursor'), sort: 'asc' }, 422, /^The cursor belongs to another/)
  })
  assert.deepEqual(service.logLines, [])
})

test('an index that has nothing yet, and one with gaps', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  const { url } = await serveV3(t, database)
  await assertV3Refused(url, 'masterchainInfo', {}, 500, 'no masterchain block is indexed yet')
  assert.deepEqual((await askBothWays(url, 'blocks')).blocks, [])
  const run = (sql: string): Promise<unknown> => database.transaction((client) => client.query(sql))
  await run('CREATE TABLE blocks_0 PARTITION OF blocks FOR VALUES FROM (0) TO (1000)')
  await run(`INSERT INTO blocks SELECT -9223372036854775808, n, n, -1, n, n, n, 0, -239, 0, 0, 1, 0, 0, 0, 0, 0, 0, ARRAY[n - 1],
    sha256('1'), sha256('2'), sha256('3'), sha256('4') FROM generate_series(1, 300) n`)
  await run(`INSERT INTO covered_ranges VALUES (10, 90, '{}'), (200, 205, '{}'), (120, 150, '{}')`)
  const { first, last } = await askBothWays(url, 'masterchainInfo')
  // Between the two there is nothing that is missing.
  assert.deepEqual([first.seqno, last.seqno], [200, 205])
  await run(`UPDATE covered_ranges SET last_seqno = 200 WHERE first_seqno = 200`)
  const { first: only, last: same } = await askBothWays(url, 'masterchainInfo')
  assert.deepEqual([only.seqno, same], [200, only])
})
