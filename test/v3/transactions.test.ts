import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import type { Database } from '../../src/store/connect/Database.ts'
import { missingDatabase, openFreshDatabase } from '../support/database.ts'
import { openEmbeddedChain } from '../support/indexedNetwork.ts'
import { type OtherTransaction, readOtherTransactions } from '../support/otherReader.ts'
import { closeSharedMachine } from '../support/testNetwork.ts'
import { getV3, type Json } from '../support/v3Client.ts'
import { askBothWays, assertV3Refused } from '../support/v3Oracle.ts'
import { readV3List } from '../support/v3Pages.ts'
import { serveV3, startV3Network, type V3NetworkService } from '../support/v3Service.ts'
import { makeTraffic } from '../support/v3Traffic.ts'

const base64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64')
const hashesOf = (rows: readonly Json[]): string[] => rows.map(({ hash }) => hash)
const bytesOf = (hash: string): string => Buffer.from(hash, 'base64').toString('hex')

/** As the database sorts accounts: by the byte of the workchain, then by the hash. */
const accountKey = (account: string): string => {
  const [workchain, hash] = account.split(':')
  return (Number(workchain) & 0xff).toString(16).padStart(2, '0') + hash!.toLowerCase()
}

type Compare = (a: Json, b: Json) => number
const by =
  (key: (row: Json) => string | bigint | number): Compare =>
  (a, b) =>
    key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0
const down =
  (compare: Compare): Compare =>
  (a, b) =>
    -compare(a, b)
const inTurn =
  (...compares: Compare[]): Compare =>
  (a, b) =>
    compares.reduce((found, compare) => found || compare(a, b), 0)

const byLt = by(({ lt }) => BigInt(lt))
const byAccount = by(({ account }) => accountKey(account))
const byNow = by(({ now }) => now)
const byHash = by(({ hash }) => bytesOf(hash))

const list = { name: 'transactions', member: 'transactions' }
const messageList = { name: 'messages', member: 'messages' }

describe('v3 transactions and messages', { skip: missingDatabase() }, () => {
  let service: V3NetworkService
  let database: Database
  let logger = ''
  const endings: (() => unknown)[] = []
  /** By logical time and account, as the interface gives them. */
  let all: Json[] = []
  let raw: (OtherTransaction & { readonly seqno: number })[] = []

  const ask = async (args: object, name = 'transactions'): Promise<Json[]> =>
    (await askBothWays(service.url, name, { limit: 1000, ...args }))[name === 'messages' ? name : 'transactions']
  const askNeutral = async (args: object, name = 'transactions'): Promise<Json[]> => {
    const { status, body } = await getV3(`${service.url}/api/v3`, name, { limit: 1000, ...args })
    assert.equal(status, 200, JSON.stringify(body))
    return body[name]
  }
  const refuse = (args: object, text: string | RegExp, name = 'transactions', status = 422): Promise<void> =>
    assertV3Refused(service.url, name, { ...args }, status, text)

  /** What is asked for must be what a look at everything finds, in its order and, turned round, in the other. */
  const check = async (
    args: object,
    isWanted: (row: Json) => boolean,
    up: Compare,
    downwards: Compare,
  ): Promise<Json[]> => {
    const wanted = all.filter(isWanted)
    const ascending = await readV3List(service.url, list, { ...args, sort: 'asc' })
    assert.deepEqual(hashesOf(ascending), hashesOf([...wanted].sort(up)), JSON.stringify(args))
    const descending = await askNeutral(args)
    assert.deepEqual(hashesOf(descending), hashesOf([...wanted].sort(downwards)), JSON.stringify(args))
    return descending
  }
  const ltUp = inTurn(byLt, byAccount)
  const ltDown = inTurn(down(byLt), byAccount)
  const timeUp = inTurn(byNow, byLt, byAccount)
  const timeDown = inTurn(down(byNow), down(byLt), byAccount)

  before(async () => {
    const cleanup = { after: (ending: () => unknown) => void endings.push(ending), skip: () => undefined }
    database = await openFreshDatabase(cleanup as unknown as TestContext)
    service = await startV3Network(cleanup, database, { network: { demo: true, shards: 2 } })
    logger = (await makeTraffic(cleanup, service)).logger
    const { blockSets } = await openEmbeddedChain(cleanup, service.network)
    const { signal } = new AbortController()
    for (let seqno = 1; seqno <= service.network.controls.getStatus().head.seqno; seqno++) {
      const { masterchain, shards } = await blockSets.fetchBlockSet(seqno, signal)
      for (const { id, bytes } of [masterchain, ...shards]) {
        raw.push(...readOtherTransactions(bytes, id.workchain).map((found) => ({ ...found, seqno })))
      }
    }
    let cursor: string | undefined
    do {
      const page = await getV3(`${service.url}/api/v3`, 'transactions', { limit: 1000, sort: 'asc', cursor })
      all.push(...page.body.transactions)
      cursor = page.headers.get('x-next-cursor') ?? undefined
    } while (cursor !== undefined)
  })
  after(async () => {
    for (const ending of endings.reverse()) await ending()
    await closeSharedMachine()
    all = []
    raw = []
  })

  test('every transaction of every block is there, with all its messages', async () => {
    assert.ok(raw.length > 150, String(raw.length))
    const expected = raw.map(({ hash, account, lt, now, seqno, inMessage, outMessages }) => ({
      hash: base64(hash),
      account: account.toUpperCase(),
      lt: String(lt),
      now,
      mc_block_seqno: seqno,
      in_msg: inMessage === undefined ? null : base64(inMessage.hash),
      out_msgs: outMessages.map((message) => base64(message.hash)),
    }))
    const found = all.map(({ hash, account, lt, now, mc_block_seqno, in_msg, out_msgs }) => ({
      hash,
      account,
      lt,
      now,
      mc_block_seqno,
      in_msg: in_msg?.hash ?? null,
      out_msgs: hashesOf(out_msgs),
    }))
    assert.deepEqual(found, expected.sort(ltUp))
  })

  test('states before and after, messages and traces hang together', async () => {
    const byHashes = new Map(all.map((row) => [row.hash, row]))
    let middles = 0
    for (const row of all) {
      const previous = byHashes.get(row.prev_trans_hash)
      const { account_state_before: state, account_state_after: next } = row
      assert.equal(row.emulated, false)
      assert.equal(row.finality, 'finalized')
      assert.equal(state.account_status ?? row.orig_status, row.orig_status)
      assert.equal(next.account_status ?? row.end_status, row.end_status)
      if (previous !== undefined) {
        assert.deepEqual(previous.account_state_after, state)
        assert.equal(previous.lt, row.prev_trans_lt)
      }
      if (next.balance === null) middles++
      // Blocks show the account after its last transaction there, and nothing in between.
      const follower = all.find(({ prev_trans_hash }) => prev_trans_hash === row.hash)
      const isMiddle =
        follower !== undefined &&
        follower.block_ref.seqno === row.block_ref.seqno &&
        follower.block_ref.shard === row.block_ref.shard
      assert.equal(next.balance === null, isMiddle && row.end_status !== 'nonexist', row.hash)
      if (row.prev_trans_lt === '0') assert.equal(row.prev_trans_hash, base64('00'.repeat(32)))
      if (row.orig_status === 'nonexist') {
        assert.deepEqual(state, {
          hash: 'kK7Illr6uxbrw8ubQI665xthjXh4i8gNCYQ1k8rJjaQ=',
          balance: '0',
          extra_currencies: {},
          account_status: 'nonexist',
          frozen_hash: null,
          data_hash: null,
          code_hash: null,
        })
      }
      const root = byHashes.get(row.trace_id)
      assert.equal(row.trace_external_hash, root.in_msg?.source === null ? root.in_msg.hash : undefined)
    }
    assert.ok(middles > 0)
  })

  test('C2: two transactions of an account in one block: of the state between them the hash is known alone', async () => {
    const row = all.find(({ account_state_after }) => account_state_after.balance === null)
    const { hash, ...others } = row.account_state_after
    assert.match(hash, /^[A-Za-z0-9+/]{43}=$/)
    assert.deepEqual(Object.values(others), [null, null, null, null, null, null])
    const [next] = await ask({ account: row.account, start_lt: String(BigInt(row.lt) + 1n), sort: 'asc', limit: 1 })
    assert.deepEqual(next.account_state_before, row.account_state_after)
  })

  test('pages by cursor and by offset, both ways', async () => {
    await check({}, () => true, ltUp, ltDown)
    assert.equal((await askBothWays(service.url, 'transactions')).transactions.length, 10)
    assert.equal((await ask({ limit: 0 })).length, 1)
    assert.equal((await ask({ offset: -5, limit: 3 })).length, 3)
    assert.deepEqual(await ask({ offset: 100_000 }), [])
  })

  test('by account', async () => {
    const counts = new Map<string, number>()
    for (const { account } of all) counts.set(account, (counts.get(account) ?? 0) + 1)
    const [[busiest], [second], [third]] = [...counts].sort(([, a], [, b]) => b - a) as unknown as [
      [string],
      [string],
      [string],
    ]
    const one = await check({ account: busiest }, ({ account }) => account === busiest, byLt, down(byLt))
    const friendly = (await askBothWays(service.url, 'transactions', { account: busiest })).address_book[busiest]
    assert.deepEqual(hashesOf(await ask({ account: friendly.user_friendly })), hashesOf(one))
    const few = new Set([busiest, second, third])
    const isOfFew = ({ account }: Json): boolean => few.has(account)
    await check({ account: [...few] }, isOfFew, ltUp, ltDown)
    assert.deepEqual(
      hashesOf(await ask({ account: `${busiest},${second},${third}` })),
      hashesOf(all.filter(isOfFew).reverse().sort(ltDown)),
    )
    assert.deepEqual(hashesOf(await ask({ account: [busiest, busiest] })), hashesOf(one))
    assert.deepEqual(hashesOf(await ask({ 'account[]': busiest })), hashesOf(one))
    const now = one[Math.floor(one.length / 2)].now
    await check(
      { account: busiest, start_utime: now },
      (row) => row.account === busiest && row.now >= now,
      byLt,
      down(byLt),
    )
    await check({ account: [...few], start_utime: now }, (row) => isOfFew(row) && row.now >= now, timeUp, timeDown)
    await check({ account: [...few], end_utime: now }, (row) => isOfFew(row) && row.now <= now, timeUp, timeDown)
    await check({ exclude_account: [...few] }, (row) => !isOfFew(row), ltUp, ltDown)
    await check(
      { exclude_account: [busiest], account: [busiest, second] },
      ({ account }) => account === second,
      ltUp,
      ltDown,
    )
    const every = [...counts.keys()]
    const many = [
      ...every,
      ...Array.from({ length: 1000 - every.length }, (_, k) => `0:${k.toString(16).padStart(64, '0')}`),
    ]
    const whole = await ask({ account: many, limit: 1000 })
    assert.deepEqual(hashesOf(whole), hashesOf([...all].sort(ltDown)))
    assert.deepEqual(hashesOf(await ask({ account: many, limit: 20, offset: 30 })), hashesOf(whole).slice(30, 50))
    assert.deepEqual(hashesOf(await ask({ account: many, limit: 400, sort: 'asc' })), hashesOf(all).slice(0, 400))
    assert.deepEqual(
      hashesOf(await ask({ account: many, limit: 400, start_utime: 1 })),
      hashesOf([...all].sort(timeDown)).slice(0, 400),
    )
    await refuse({ account: [...many, busiest] }, 'maximum 1000 values allowed, 1001 given')
    await refuse({ account: 'somebody' }, 'failed to decode: schema: error converting value for index 0 of "account"')
    assert.deepEqual(await ask({ account: `0:${'ab'.repeat(32)}` }), [])
  })

  test('by block', async () => {
    const seqnos = [...new Set(all.map(({ mc_block_seqno }) => mc_block_seqno))]
    let sum = 0
    for (const mc_seqno of seqnos) {
      const wanted = hashesOf(all.filter((row) => row.mc_block_seqno === mc_seqno).sort(ltDown))
      assert.deepEqual(
        hashesOf((await getV3(`${service.url}/api/v3`, 'transactions', { mc_seqno, limit: 1000 })).body.transactions),
        wanted,
      )
      const { body } = await getV3(`${service.url}/api/v3`, 'transactionsByMasterchainBlock', {
        seqno: mc_seqno,
        limit: 1000,
      })
      assert.deepEqual(hashesOf(body.transactions), wanted)
      sum += wanted.length
    }
    assert.equal(sum, all.length)
    const busy = seqnos
      .map((seqno) => all.filter((row) => row.mc_block_seqno === seqno))
      .sort((a, b) => b.length - a.length)[0]!
    const { mc_block_seqno: mc_seqno } = busy[0]
    await check({ mc_seqno }, (row) => row.mc_block_seqno === mc_seqno, ltUp, ltDown)
    await check({ mc_seqno, start_utime: 1 }, (row) => row.mc_block_seqno === mc_seqno, ltUp, ltDown)
    await check(
      { mc_seqno, account: busy[0].account },
      (row) => row.mc_block_seqno === mc_seqno && row.account === busy[0].account,
      ltUp,
      ltDown,
    )
    const pages = await readV3List(
      service.url,
      { name: 'transactionsByMasterchainBlock', member: 'transactions' },
      { seqno: mc_seqno, sort: 'asc' },
    )
    assert.deepEqual(hashesOf(pages), hashesOf([...busy].sort(ltUp)))
    const { workchain, shard, seqno } = busy.find(({ block_ref }) => block_ref.workchain === 0).block_ref
    const isIn = ({ block_ref: place }: Json): boolean =>
      place.workchain === workchain && place.shard === shard && place.seqno === seqno
    await check({ workchain, shard, seqno }, isIn, ltUp, ltDown)
    await check({ seqno }, ({ block_ref }) => block_ref.seqno === seqno, ltUp, ltDown)
    await check({ seqno, start_utime: 1 }, ({ block_ref }) => block_ref.seqno === seqno, timeUp, timeDown)
    await check({ workchain }, ({ block_ref }) => block_ref.workchain === workchain, ltUp, ltDown)
    await check(
      { workchain: -1, end_utime: busy[0].now },
      (row) => row.block_ref.workchain === -1 && row.now <= busy[0].now,
      timeUp,
      timeDown,
    )
    await check(
      { workchain, shard },
      ({ block_ref }) => block_ref.workchain === workchain && block_ref.shard === shard,
      ltUp,
      ltDown,
    )
    assert.deepEqual(await ask({ workchain: 7 }), [])
    assert.deepEqual(await ask({ workchain: 300 }), [])
    for (const [name, key] of [
      ['transactions', 'mc_seqno'],
      ['transactionsByMasterchainBlock', 'seqno'],
    ] as const) {
      await refuse({ [key]: 99_999 }, 'masterchain block 99999 not found', name, 404)
    }
    await refuse({}, 'seqno is required', 'transactionsByMasterchainBlock')
    await refuse(
      { seqno: 'x' },
      'failed to decode: schema: error converting value for "seqno"',
      'transactionsByMasterchainBlock',
    )
    await refuse({ shard: 'x' }, 'failed to decode: schema: error converting value for "shard"')
    await refuse(
      { workchain: 'x', seqno: 'y' },
      'failed to decode: schema: error converting value for "workchain" (and 1 other error)',
    )
  })

  test('by hash, logical time and windows', async () => {
    const some = all.filter((_, k) => k % 9 === 4)
    const hashes = hashesOf(some)
    await check({ hash: hashes }, ({ hash }) => hashes.includes(hash), byHash, down(byHash))
    await check(
      { hash: hashes, account: some[0].account },
      ({ hash, account }) => hashes.includes(hash) && account === some[0].account,
      byHash,
      down(byHash),
    )
    assert.deepEqual(hashesOf(await ask({ hash: [`0x${bytesOf(hashes[0]!)}`, base64('cd'.repeat(32)), hashes[0]!] })), [
      hashes[0],
    ])
    const lt = [...all].sort(
      (a, b) => all.filter((row) => row.lt === b.lt).length - all.filter((row) => row.lt === a.lt).length,
    )[0].lt
    await check({ lt }, (row) => row.lt === lt, byAccount, down(byAccount))
    await check(
      { lt, hash: hashesOf(all.filter((row) => row.lt === lt)) },
      (row) => row.lt === lt,
      byAccount,
      down(byAccount),
    )
    await check(
      { lt, account: hashes.length > 0 ? all.filter((row) => row.lt === lt).map(({ account }) => account) : [] },
      (row) => row.lt === lt,
      byAccount,
      down(byAccount),
    )
    const middle = all[Math.floor(all.length / 2)]
    await check({ start_lt: middle.lt }, (row) => BigInt(row.lt) >= BigInt(middle.lt), ltUp, ltDown)
    await check({ start_lt: middle.lt, end_lt: middle.lt }, (row) => row.lt === middle.lt, ltUp, ltDown)
    await check({ end_lt: middle.lt }, (row) => BigInt(row.lt) <= BigInt(middle.lt), ltUp, ltDown)
    await check({ start_utime: middle.now }, (row) => row.now >= middle.now, timeUp, timeDown)
    await check(
      { start_utime: middle.now, end_utime: `${middle.now}.7` },
      (row) => row.now === middle.now,
      timeUp,
      timeDown,
    )
    await check({ end_utime: middle.now, start_lt: 1 }, (row) => row.now <= middle.now, timeUp, timeDown)
    assert.deepEqual(await ask({ lt: '18446744073709551615' }), [])
    assert.deepEqual(await ask({ start_lt: '18446744073709551615' }), [])
    await refuse({ lt: '-1' }, 'failed to decode: schema: error converting value for "lt"')
    await refuse({ hash: 'AAAA' }, 'failed to decode: schema: error converting value for index 0 of "hash"')
    await refuse({ sort: 'up' }, 'wrong value for sort parameter')
    await refuse({ limit: 1001 }, 'limit is not allowed: 1001 > 1000')
    const { headers } = await getV3(`${service.url}/api/v3`, 'transactions', { limit: 1 })
    await refuse({ cursor: headers.get('x-next-cursor'), sort: 'asc' }, /^The cursor belongs to another query/)
    const { body } = await getV3(`${service.url}/api/v3`, 'transactions', { limit: 5 }, { 'X-No-Address-Book': 'true' })
    assert.deepEqual(body.address_book, {})
  })

  test('address book: accounts, senders to them, and whom they sent to', async () => {
    const { transactions, address_book } = await askBothWays(service.url, 'transactions', { limit: 50 })
    const wanted = new Set<string>()
    for (const { account, in_msg, out_msgs } of transactions) {
      for (const address of [account, in_msg?.source, ...out_msgs.map((message: Json) => message.destination)])
        if (address) wanted.add(address)
    }
    assert.deepEqual(Object.keys(address_book).sort(), [...wanted].sort())
  })

  test('by message', async () => {
    const receivers = (hash: string) => all.filter(({ in_msg }) => in_msg?.hash === hash)
    const senders = (hash: string) => all.filter(({ out_msgs }) => hashesOf(out_msgs).includes(hash))
    const name = 'transactionsByMessage'
    const both = { name, member: 'transactions' }
    const internal = all.filter(
      ({ in_msg }) => in_msg !== null && in_msg.source !== null && senders(in_msg.hash).length > 0,
    )
    assert.ok(internal.length > 30)
    for (const { in_msg } of internal.filter((_, k) => k % 19 === 0)) {
      const { hash } = in_msg
      assert.deepEqual(
        hashesOf(await ask({ msg_hash: hash }, name)),
        hashesOf([...receivers(hash), ...senders(hash)].sort(ltDown)),
      )
      assert.deepEqual(hashesOf(await ask({ msg_hash: hash, direction: 'in' }, name)), hashesOf(receivers(hash)))
      assert.deepEqual(hashesOf(await ask({ msg_hash: hash, direction: 'out' }, name)), hashesOf(senders(hash)))
      assert.deepEqual(
        hashesOf(
          await ask({ msg_hash: hash, source: in_msg.source, destination: in_msg.destination, sort: 'asc' }, name),
        ),
        hashesOf([...receivers(hash), ...senders(hash)].sort(ltUp)),
      )
      // An account may write to itself.
      if (in_msg.source === in_msg.destination) continue
      assert.deepEqual(await ask({ msg_hash: hash, source: in_msg.destination }, name), [])
    }
    const hashes = hashesOf(internal.map(({ in_msg }) => in_msg))
    const wanted = new Map(
      hashes.flatMap((hash) => [...receivers(hash), ...senders(hash)]).map((row) => [row.hash, row]),
    )
    const pages = await readV3List(service.url, both, { msg_hash: hashes })
    assert.deepEqual(hashesOf(pages), hashesOf([...wanted.values()].sort(ltDown)))
    const unreceived = all.flatMap(({ out_msgs }) => out_msgs).find(({ hash }) => receivers(hash).length === 0)
    assert.deepEqual(hashesOf(await ask({ msg_hash: unreceived.hash }, name)), hashesOf(senders(unreceived.hash)))
    const isOpcode = (opcode: number) => all.filter(({ in_msg }) => in_msg !== null && in_msg.opcode === opcode)
    const { opcode } = internal.find(({ in_msg }) => in_msg.opcode !== null).in_msg
    assert.deepEqual(
      hashesOf(await readV3List(service.url, both, { opcode: `0x${(opcode >>> 0).toString(16)}` })),
      hashesOf(isOpcode(opcode).sort(ltDown)),
    )
    assert.deepEqual(await ask({ opcode: (opcode >>> 0).toString(16), direction: 'out' }, name), [])
    const body = internal.find(({ in_msg }) => in_msg.opcode !== null).in_msg.message_content.hash
    const hasBody = (message: Json): boolean => message?.message_content.hash === body
    assert.deepEqual(
      hashesOf(await ask({ body_hash: body }, name)),
      hashesOf(all.filter(({ in_msg, out_msgs }) => hasBody(in_msg) || out_msgs.some(hasBody)).sort(ltDown)),
    )
    const empty = base64('96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7')
    assert.deepEqual(
      hashesOf(await ask({ body_hash: empty, direction: 'in' }, name)),
      hashesOf(all.filter(({ in_msg }) => in_msg?.message_content.hash === empty).sort(ltDown)),
    )
    assert.deepEqual(await ask({ msg_hash: base64('ef'.repeat(32)) }, name), [])
    await refuse({}, 'at least one of msg_hash, body_hash, opcode should be specified', name)
    await refuse({ direction: 'in' }, 'at least one of msg_hash, body_hash, opcode should be specified', name)
    await refuse({ opcode: 1, direction: 'up' }, 'direction should be one of: in, out', name)
    await refuse({ opcode: '4136767827' }, 'failed to decode: schema: error converting value for "opcode"', name)
  })

  test('C1: a message from outside that brings its code has two hashes, and both find it', async () => {
    const external = all.filter(({ in_msg }) => in_msg !== null && in_msg.source === null)
    const [differing, same] = [
      external.filter(({ in_msg }) => 'hash_norm' in in_msg),
      external.filter(({ in_msg }) => !('hash_norm' in in_msg)),
    ]
    assert.ok(differing.length > 0)
    for (const { hash, in_msg } of differing.slice(0, 4)) {
      assert.notEqual(in_msg.hash, in_msg.hash_norm)
      for (const msg_hash of [in_msg.hash, in_msg.hash_norm]) {
        assert.ok(hashesOf(await ask({ msg_hash }, 'transactionsByMessage')).includes(hash))
        assert.ok(hashesOf(await ask({ msg_hash }, 'messages')).includes(in_msg.hash))
      }
    }
    assert.ok(same.length === 0 || same.every(({ in_msg }) => in_msg.init_state === null))
  })

  test('C7: an opcode of eight digits is hexadecimal', async () => {
    const found = await ask({ opcode: '12345678' }, 'messages')
    assert.deepEqual(
      found.map(({ opcode, source, destination }) => [opcode, source, destination]),
      [[0x12345678, logger, null]],
    )
    assert.deepEqual(await ask({ opcode: '305419897' }, 'messages'), [])
    assert.deepEqual(hashesOf(await ask({ opcode: '305419896' }, 'messages')), hashesOf(found))
  })

  test('what is before and after a transaction', async () => {
    const name = 'adjacentTransactions'
    const askAdjacent = async (hash: string, direction?: string): Promise<string[] | undefined> => {
      const { status, body } = await getV3(`${service.url}/api/v3`, name, { hash, direction })
      if (status === 404) assert.deepEqual(body, { error: 'adjacent transactions not found' })
      return status === 404 ? undefined : hashesOf(body.transactions)
    }
    for (const row of all.filter((_, k) => k % 11 === 0)) {
      const parents = all.filter(({ out_msgs }) => row.in_msg !== null && hashesOf(out_msgs).includes(row.in_msg.hash))
      const children = all.filter(({ in_msg }) => in_msg !== null && hashesOf(row.out_msgs).includes(in_msg.hash))
      const orNone = (rows: Json[]): string[] | undefined => (rows.length === 0 ? undefined : hashesOf(rows.sort(ltUp)))
      assert.deepEqual(await askAdjacent(row.hash, 'in'), orNone(parents))
      assert.deepEqual(await askAdjacent(row.hash, 'out'), orNone(children))
      assert.deepEqual(await askAdjacent(row.hash), orNone([...parents, ...children]))
      assert.deepEqual(await askAdjacent(row.hash, 'sideways'), orNone([...parents, ...children]))
    }
    const sender = all.find(({ out_msgs }) => out_msgs.some((message: Json) => message.destination !== null))
    await askBothWays(service.url, name, { hash: sender.hash })
    await refuse({ hash: base64('12'.repeat(32)) }, 'adjacent transactions not found', name, 404)
    await refuse({}, 'hash is required', name)
    await refuse({ hash: 'x' }, 'failed to decode: schema: error converting value for "hash"', name)
  })

  describe('messages', () => {
    let messages: Json[] = []
    const NO_LT = 2n ** 63n
    const byMade = by(({ created_lt }) => (created_lt === null ? NO_LT : BigInt(created_lt)))
    const byTime = by(({ created_at }) => Number(created_at))
    const up = inTurn(byMade, byHash)
    const hasTimes = ({ created_lt }: Json): boolean => created_lt !== null

    const gather = (): Json[] => {
      const found = new Map<string, Json>()
      for (const row of all) {
        if (row.in_msg !== null)
          found.set(row.in_msg.hash, { ...found.get(row.in_msg.hash), ...row.in_msg, in_msg_tx_hash: row.hash })
        for (const message of row.out_msgs)
          found.set(message.hash, { ...found.get(message.hash), ...message, out_msg_tx_hash: row.hash })
      }
      return [...found.values()]
    }
    const checkMessages = async (
      args: object,
      isWanted: (row: Json) => boolean,
      order: Compare = up,
    ): Promise<Json[]> => {
      messages = messages.length === 0 ? gather() : messages
      const wanted = messages.filter(isWanted).sort(order)
      const found = await readV3List(service.url, messageList, { ...args, sort: 'asc' })
      assert.deepEqual(hashesOf(found), hashesOf(wanted), JSON.stringify(args))
      assert.deepEqual(found, wanted)
      const descending = await askNeutral(args, 'messages')
      assert.deepEqual(hashesOf(descending), hashesOf([...wanted].reverse()), JSON.stringify(args))
      return wanted
    }

    test('all of them, each once', async () => {
      const found = await checkMessages({}, () => true)
      assert.ok(found.length > 100)
      const { address_book, metadata } = await askBothWays(service.url, 'messages', { limit: 1000 })
      const ends = new Set(
        found.flatMap(({ source, destination }) => [source, destination]).filter((end) => end !== null),
      )
      assert.deepEqual(Object.keys(address_book).sort(), [...ends].sort())
      assert.ok(Object.keys(metadata).length > 0)
    })

    test('C8: the newest first means those from outside first', async () => {
      const found = await ask({}, 'messages')
      const outside = found.findIndex(hasTimes)
      assert.ok(outside > 0 && found.slice(outside).every(hasTimes))
      const inside = await ask({ exclude_externals: true, limit: 1 }, 'messages')
      assert.deepEqual(hashesOf(inside), hashesOf(await ask({ start_lt: 1, limit: 1 }, 'messages')))
      assert.equal(inside[0].hash, found[outside].hash)
      await checkMessages({ exclude_externals: true }, hasTimes)
      await checkMessages({ only_externals: true }, (row) => !hasTimes(row))
      assert.deepEqual(await ask({ only_externals: true, exclude_externals: true }, 'messages'), [])
    })

    test('by their ends', async () => {
      const sources = new Map<string, number>()
      for (const { source } of gather()) if (source !== null) sources.set(source, (sources.get(source) ?? 0) + 1)
      const system = `-1:${'0'.repeat(64)}`
      await checkMessages({ source: system }, ({ source }) => source === system)
      sources.delete(system)
      const [[busiest]] = [...sources].sort(([, a], [, b]) => b - a) as unknown as [[string]]
      await checkMessages({ source: busiest }, ({ source }) => source === busiest)
      await checkMessages({ destination: busiest }, ({ destination }) => destination === busiest)
      await checkMessages({ source: 'null' }, ({ source }) => source === null)
      await checkMessages({ destination: 'null' }, ({ destination }) => destination === null)
      await checkMessages(
        { source: logger, destination: 'null' },
        ({ source, destination }) => source === logger && destination === null,
      )
      const { destination } = gather().find(({ source }) => source === busiest)
      await checkMessages(
        { source: busiest, destination },
        (row) => row.source === busiest && row.destination === destination,
      )
      const moment = gather().filter(({ source }) => source === busiest)[5].created_at
      const timeOrder = inTurn(byTime, byHash)
      await checkMessages(
        { source: busiest, start_utime: moment },
        (row) => row.source === busiest && Number(row.created_at) >= Number(moment),
        timeOrder,
      )
      await checkMessages(
        { destination: busiest, end_utime: moment },
        (row) => row.destination === busiest && hasTimes(row) && Number(row.created_at) <= Number(moment),
        timeOrder,
      )
      assert.deepEqual(await ask({ source: `0:${'ab'.repeat(32)}` }, 'messages'), [])
      await refuse({ source: 'nobody' }, 'failed to decode: schema: error converting value for "source"', 'messages')
      await refuse(
        { destination: '' },
        'failed to decode: schema: error converting value for "destination"',
        'messages',
      )
    })

    test('by hash, body and opcode', async () => {
      const some = hashesOf(gather().filter((_, k) => k % 4 === 1))
      await checkMessages({ msg_hash: some }, ({ hash }) => some.includes(hash))
      await checkMessages(
        { msg_hash: some, exclude_externals: true },
        (row) => some.includes(row.hash) && hasTimes(row),
      )
      assert.deepEqual(hashesOf(await ask({ hash: some[0] }, 'messages')), [some[0]])
      const bodies = new Map<string, number>()
      for (const { message_content } of gather())
        bodies.set(message_content.hash, (bodies.get(message_content.hash) ?? 0) + 1)
      for (const [body_hash] of [...bodies].sort(([, a], [, b]) => b - a).slice(0, 3)) {
        await checkMessages({ body_hash }, ({ message_content }) => message_content.hash === body_hash)
      }
      const opcodes = [...new Set(gather().map(({ opcode }) => opcode))].filter((opcode) => opcode !== null)
      assert.ok(opcodes.length > 3)
      for (const opcode of opcodes.slice(0, 4)) {
        await checkMessages({ opcode: `0x${(opcode >>> 0).toString(16)}` }, (row) => row.opcode === opcode)
      }
      const { source, opcode } = gather().find((row) => row.source !== null && row.opcode !== null)
      await checkMessages(
        { opcode: (opcode >>> 0).toString(16), source },
        (row) => row.opcode === opcode && row.source === source,
      )
    })

    test('by windows and by direction', async () => {
      const timed = gather().filter(hasTimes).sort(up)
      const { created_lt, created_at } = timed[Math.floor(timed.length / 2)]
      await checkMessages(
        { start_lt: created_lt },
        (row) => hasTimes(row) && BigInt(row.created_lt) >= BigInt(created_lt),
      )
      await checkMessages(
        { end_lt: created_lt },
        (row) => hasTimes(row) && BigInt(row.created_lt) <= BigInt(created_lt),
      )
      const timeOrder = inTurn(byTime, byHash)
      await checkMessages(
        { start_utime: created_at },
        (row) => hasTimes(row) && Number(row.created_at) >= Number(created_at),
        timeOrder,
      )
      await checkMessages(
        { start_utime: 1, end_utime: created_at },
        (row) => hasTimes(row) && Number(row.created_at) <= Number(created_at),
        timeOrder,
      )
      const isIn = ({ in_msg_tx_hash }: Json): boolean => in_msg_tx_hash !== undefined
      const isOut = ({ out_msg_tx_hash }: Json): boolean => out_msg_tx_hash !== undefined
      const received = await ask({ direction: 'in', sort: 'asc' }, 'messages')
      assert.deepEqual(hashesOf(received), hashesOf(gather().filter(isIn).sort(up)))
      assert.ok(received.every((row: Json) => isIn(row) && !isOut(row)))
      const sent = await ask({ direction: 'out', sort: 'asc' }, 'messages')
      assert.deepEqual(hashesOf(sent), hashesOf(gather().filter(isOut).sort(up)))
      assert.ok(sent.every((row: Json) => isOut(row) && !isIn(row)))
      await refuse({ direction: 'both' }, 'direction should be one of: in, out', 'messages')
      await refuse(
        { exclude_externals: 'maybe' },
        'failed to decode: schema: error converting value for "exclude_externals"',
        'messages',
      )
      await refuse({ opcode: '' }, 'failed to decode: schema: error converting value for "opcode"', 'messages')
    })
  })

  test('nothing went wrong inside', async () => assert.deepEqual(service.logLines, []))

  test('transactions whose text is cached are shown as those that are written anew', async (t) => {
    const anew = await serveV3(t, database, { textCacheBytes: 0 })
    const busiest = all.map(({ account }) => account as string).filter((account) => account.startsWith('0:'))
    const paths = [
      'transactions?limit=100',
      'transactions?limit=7&sort=asc',
      'transactions?limit=5&offset=3',
      'traces?limit=20',
      'traces?limit=3&sort=asc&include_actions=true',
      ...[...new Set(busiest)].slice(0, 20).flatMap((account) => [
        `transactions?account=${account}&limit=20`,
        // Some of the page are cached, the others are not.
        `transactions?account=${account}&limit=30&sort=asc`,
        `traces?account=${account}&limit=5`,
      ]),
      ...all.slice(0, 20).map(({ hash }) => `adjacentTransactions?hash=${encodeURIComponent(hash)}`),
    ]
    const read = async (url: string, path: string): Promise<string> => {
      const response = await fetch(`${url}/api/v3/${path}`)
      return `${response.status} ${response.headers.get('x-next-cursor')} ${await response.text()}`
    }
    const expected = new Map<string, string>()
    for (const path of paths) expected.set(path, await read(anew.url, path))
    for (let round = 0; round < 3; round++) {
      for (const path of paths) assert.equal(await read(service.url, path), expected.get(path), path)
    }
    // What is cached needs no contents of messages, which the other service misses.
    const [path = ''] = paths
    await database.transaction((client) => client.query('DELETE FROM message_contents'))
    assert.equal(await read(service.url, path), expected.get(path))
    assert.notEqual(await read(anew.url, path), expected.get(path))
  })
})
