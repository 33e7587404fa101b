import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import type { Endpoint } from '../../src/api/core/Endpoint.ts'
import { v3 } from '../../src/api/v3/index.ts'
import { missingDatabase, openFreshDatabase } from '../support/database.ts'
import { findV3Places, forgeCursors, nonsense } from '../support/forgedCursors.ts'
import { isLong } from '../support/testLength.ts'
import { closeSharedMachine } from '../support/testNetwork.ts'
import type { Json } from '../support/v3Client.ts'
import { openV3Demo } from '../support/v3Demo.ts'
import { assertV3Answer } from '../support/v3Oracle.ts'
import { badValues, findParamKind, goodValues, type ParamKind } from '../support/v3ParamKinds.ts'
import { startV3Network, type V3NetworkService } from '../support/v3Service.ts'

type Args = { readonly [name: string]: string | readonly string[] }
type Refusal = { readonly status: number; readonly text: string }

const account = '0:EE35299E2C43D1455080253B6BF9D350FE3EC7353CD90A2F07DF31CE68B6EF6C'
const hash = 'S4XM4TRqBSWvsrGUQY/NLEbIRM7q7iS6hx+uWg4Hv14='

/** What an endpoint cannot do without. */
const bases: { readonly [name: string]: Args } = {
  transactionsByMessage: { opcode: '0' },
  transactionsByMasterchainBlock: { seqno: '1' },
  adjacentTransactions: { hash },
  accountStates: { address: account },
  accountBalances: { address: account },
  accountsByCode: { code_hash: hash },
  addressBook: { address: account },
  metadata: { address: account },
  walletStates: { address: account },
  masterchainBlockShardState: { seqno: '1' },
  masterchainBlockShards: { seqno: '1' },
  addressInformation: { address: account },
  account: { address: account },
  walletInformation: { address: account },
  wallet: { address: account },
  pendingTraces: { account },
  pendingActions: { account },
  pendingTransactions: { account },
  'nft/sales': { address: account },
  'jetton/stats': { jetton_address: account },
  'nft/collectionStats': { collection_address: account },
  'dns/records': { wallet: account },
  'multisig/orders': { address: account },
  'multisig/wallets': { address: account },
  vesting: { contract_address: account },
}

const endpoints: readonly Endpoint<never>[] = v3.endpoints
const asked = endpoints.filter(({ methods }) => methods?.includes('GET') ?? true)
const posted = endpoints.filter(({ methods }) => methods?.includes('POST') ?? true)
const lists = asked.filter(({ params }) => 'cursor' in params)

const unreadable = (name: string, at?: number): Refusal => ({
  status: 422,
  text: `failed to decode: schema: error converting value for ${at === undefined ? '' : `index ${at} of `}"${name}"`,
})
const refused = (text: string): Refusal => ({ status: 422, text })

/** What is said of a value that its kind does not take. */
const refusalOf = (kind: ParamKind, endpoint: string, name: string): Refusal => {
  if (kind === 'sort') return refused('wrong value for sort parameter')
  if (kind === 'choice' && !endpoint.endsWith('/transfers')) return refused('direction should be one of: in, out')
  return unreadable(name, kind === 'addresses' || kind === 'hashes' ? 0 : undefined)
}

/** Every parameter of every question that is asked by GET. */
const everyParam = (): { endpoint: string; name: string; kind: ParamKind }[] =>
  asked.flatMap(({ name: endpoint, params }) =>
    Object.entries(params).map(([name, param]) => ({ endpoint, name, kind: findParamKind(endpoint, name, param) })),
  )

/** So many values for every parameter, and every value at least once. */
const inTurns = <P extends { readonly kind: ParamKind }, Value>(
  params: readonly P[],
  values: { readonly [kind in ParamKind]: readonly Value[] },
  each: number,
): (P & { readonly value: Value })[] =>
  Object.entries(values).flatMap(([kind, all]) => {
    const own = params.filter((param) => param.kind === kind)
    const turns =
      own.length === 0 || all.length === 0 ? 0 : Math.max(own.length * Math.min(each, all.length), all.length)
    return Array.from({ length: turns }, (_, turn) => ({
      ...own[turn % own.length]!,
      value: all[(turn + Math.floor(turn / own.length)) % all.length]!,
    }))
  })

describe('v3 and bad input', { skip: missingDatabase() }, () => {
  let service: V3NetworkService
  const endings: (() => unknown)[] = []
  let count = 0

  const test = (name: string, work: (t: TestContext) => Promise<void>): void =>
    void it(name, async (t) => {
      count = 0
      await work(t)
      t.diagnostic(`${count} requests`)
    })

  /** In the one dialect and the other, by turns. */
  const send = async (path: string, init?: RequestInit): Promise<{ status: number; body: Json; headers: Headers }> => {
    const base = count++ % 2 === 0 ? '/api/v3' : '/ton/api/v3'
    const response = await fetch(`${service.url}${base}/${path}`, init)
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text), headers: response.headers }
  }

  const ask = (name: string, args: Args) => {
    const query = new URLSearchParams()
    for (const [key, value] of Object.entries(args)) for (const each of [value].flat()) query.append(key, each)
    return send(`${name}?${query}`)
  }

  /** What went otherwise than it should is collected, so that a table is seen as a whole. */
  const collect = async (works: readonly (() => Promise<string | undefined>)[]): Promise<void> => {
    const wrong: string[] = []
    const rest = [...works]
    const work = async (): Promise<void> => {
      for (let next = rest.shift(); next !== undefined; next = rest.shift()) {
        const line = await next()
        if (line !== undefined) wrong.push(line)
      }
    }
    await Promise.all(Array.from({ length: 6 }, work))
    assert.deepEqual(wrong, [])
  }

  const expectRefusal =
    (name: string, args: Args, { status, text }: Refusal) =>
    async () => {
      const answer = await ask(name, { ...bases[name], ...args })
      const isRight = answer.status === status && answer.body?.error === text
      if (isRight) await assertV3Answer(`${service.url}/api/v3`, name, 'get', answer)
      return isRight ? undefined : describeWrong(name, args, answer, `${status} ${text}`)
    }

  /** Nothing need be found, but the question must be understood. */
  const expectTaken = (name: string, args: Args) => async () => {
    const few = lists.some((each) => each.name === name) ? { limit: '1' } : {}
    const answer = await ask(name, { ...bases[name], ...few, ...args })
    return [200, 404].includes(answer.status) ? undefined : describeWrong(name, args, answer, 'an answer')
  }

  const describeWrong = (name: string, args: Args, { status, body }: { status: number; body: Json }, wanted: string) =>
    `${name} ${JSON.stringify(args).slice(0, 200)}: ${wanted} expected, got ${status} ${JSON.stringify(body)?.slice(0, 300)}`

  before(async () => {
    const cleanup = { after: (ending: () => unknown) => void endings.unshift(ending) } as unknown as TestContext
    service = await startV3Network(cleanup, await openFreshDatabase(cleanup))
  })

  after(async () => {
    for (const ending of endings) await ending()
    await closeSharedMachine()
  })

  test('values that their parameter does not take', async (t) => {
    const params = everyParam().filter(
      // Anything but in and out is both here (3.3).
      ({ endpoint, kind }) => !(endpoint === 'adjacentTransactions' && kind === 'choice'),
    )
    t.diagnostic(`${endpoints.length} endpoints, ${params.length} parameters`)
    await collect(
      inTurns(params, badValues, 3).map(({ endpoint, name, kind, value }) =>
        expectRefusal(endpoint, { [name]: value }, refusalOf(kind, endpoint, name)),
      ),
    )
  })

  test('values in every spelling', async () => {
    const params = everyParam()
      .filter(
        // A node is asked by it; balances are in an order only among those of somebody, or of one jetton.
        ({ endpoint, name }) => name !== 'use_v2' && !(endpoint === 'jetton/wallets' && name === 'sort'),
      )
      // The one stands instead of the other here.
      .filter(({ endpoint, name }) => !(endpoint === 'vesting' && name === 'wallet_address'))
    await collect(
      inTurns(params, goodValues, 1).map(({ endpoint, name, value }) => {
        const others = { 'jetton/wallets': { owner_address: account }, 'nft/items': { owner_address: account } }
        return expectTaken(endpoint, { ...others[endpoint as keyof typeof others], [name]: value })
      }),
    )
  })

  test('lists: the place of a bad value, repeated and bracketed names, commas, and too many of them', async () => {
    const params = everyParam().filter(({ kind }) => kind === 'addresses' || kind === 'hashes')
    assert.ok(params.length >= 30, `there are ${params.length}`)
    await collect(
      params.flatMap(({ endpoint, name, kind }) => {
        const good = kind === 'addresses' ? account : hash
        const param = asked.find((each) => each.name === endpoint)!.params[name]!
        const { maxItems } = (param.shown ?? param.schema) as unknown as { maxItems?: number }
        const most = maxItems ?? 1000
        const many = Array.from({ length: most + 1 }, () => good)
        const overlong =
          endpoint === 'nft/sales'
            ? 'maximum 1000 addresses allowed'
            : `maximum ${most} values allowed, ${most + 1} given`
        return [
          expectRefusal(endpoint, { [name]: [good, '', 'x'] }, unreadable(name, 2)),
          expectRefusal(endpoint, { [name]: [], [`${name}[]`]: 'x' }, unreadable(name, 0)),
          expectRefusal(endpoint, { [name]: [good], [`${name}[]`]: ['', 'x'] }, unreadable(name, 2)),
          expectRefusal(endpoint, { [name]: many }, refused(overlong)),
          expectRefusal(endpoint, { [name]: many.join(',') }, refused(overlong)),
        ]
      }),
    )
  })

  test('how many rows, from where on, and in which direction', async () => {
    await collect(
      lists.flatMap(({ name, params }) => [
        expectRefusal(name, { limit: '1001' }, refused('limit is not allowed: 1001 > 1000')),
        expectRefusal(name, { limit: '5000' }, refused('limit is not allowed: 5000 > 1000')),
        expectRefusal(name, { limit: 'x' }, unreadable('limit')),
        expectRefusal(name, { limit: ['5', 'x'] }, unreadable('limit')),
        expectRefusal(name, { offset: 'x' }, unreadable('offset')),
        expectRefusal(name, { limit: 'x', offset: 'y' }, refused(`${unreadable('limit').text} (and 1 other error)`)),
        // What cannot be read comes before what can be read and is refused.
        expectRefusal(name, { limit: '1001', offset: 'x' }, unreadable('offset')),
        ...('sort' in params && name !== 'jetton/wallets'
          ? [expectTaken(name, { sort: ['x', 'asc'], limit: ['x', '1'] })]
          : []),
      ]),
    )
    for (const { name, least } of [
      { name: 'blocks', least: 2 },
      { name: 'transactions', least: 2 },
      { name: 'topAccountsByBalance', least: 2 },
    ]) {
      const rowsOf = async (args: Args): Promise<readonly Json[]> => {
        const { status, body } = await ask(name, args)
        assert.equal(status, 200, JSON.stringify(body))
        return Array.isArray(body) ? body : (Object.values(body)[0] as Json[])
      }
      const first = await rowsOf({ limit: '1' })
      assert.ok((await rowsOf({ limit: '1000' })).length >= least)
      for (const limit of ['0', '', '-5', '-2147483648', '+1']) assert.deepEqual(await rowsOf({ limit }), first, limit)
      for (const offset of ['-1', '', '-2147483648', '0']) {
        assert.deepEqual(await rowsOf({ limit: '1', offset }), first, offset)
      }
      assert.deepEqual(await rowsOf({ offset: '2147483647' }), [])
      assert.equal((await rowsOf({ limit: ['1', '2'] })).length, 2, 'the last value counts')
    }
  })

  test('questions of which a half is missing, or one half too many', async () => {
    const addresses = [account, `0:${'AB'.repeat(32)}`]
    const oneOfFour = 'only one of account, trace_id, tx_hash, msg_hash should be specified'
    const noPending = 'account or ext_msg_hash should be specified'
    const table: [name: string, args: Args, refusal: Refusal | string][] = [
      ...['account', 'tx_hash', 'msg_hash'].flatMap((name): typeof table => [
        ['traces', { trace_id: hash, [name]: name === 'account' ? account : hash }, oneOfFour],
        ['events', { trace_id: hash, [name]: name === 'account' ? account : hash }, oneOfFour],
      ]),
      ['traces', { account, msg_hash: hash, trace_id: '' }, oneOfFour],
      ['pendingTraces', {}, noPending],
      ['pendingActions', {}, noPending],
      ['pendingActions', { ext_msg_hash: ['', ''] }, noPending],
      ['pendingTransactions', {}, 'at least 1 account address or trace_id required'],
      ['transactionsByMessage', {}, 'at least one of msg_hash, body_hash, opcode should be specified'],
      ['transactionsByMessage', { msg_hash: '' }, 'at least one of msg_hash, body_hash, opcode should be specified'],
      ['transactionsByMessage', { direction: 'in' }, 'at least one of msg_hash, body_hash, opcode should be specified'],
      ['adjacentTransactions', {}, 'hash is required'],
      ['jetton/wallets', { jetton_address: addresses }, 'exact one owner_address required for multiple jetton_address'],
      [
        'jetton/wallets',
        { jetton_address: addresses, owner_address: addresses },
        'exact one owner_address required for multiple jetton_address',
      ],
      [
        'nft/items',
        { collection_address: addresses.join(',') },
        'exact one owner_address required for multiple collection_address',
      ],
      ['nft/items', { index: '1' }, 'index parameter is not allowed without the collection_address'],
      ['nft/items', { index: ['1', 'x'], collection_address: account }, 'index should contain digits only'],
      ['nft/items', { index: '1,2', collection_address: account }, 'index should contain digits only'],
      ['nft/items', { index: '-1', collection_address: account }, 'index should contain digits only'],
      ['nft/sales', {}, 'at least 1 address required'],
      ['nft/sales', { address: '' }, 'at least 1 address required'],
      ['dns/records', {}, 'either wallet address or domain is required'],
      ['dns/records', { wallet: account, domain: 'a.ton' }, 'provide either wallet address or domain, not both'],
      ['multisig/wallets', {}, 'At least one of address or wallet_address should be specified'],
      ['multisig/orders', {}, 'At least one of address or multisig_address should be specified'],
      ['multisig/orders', { multisig_address: '' }, 'At least one of address or multisig_address should be specified'],
      ['vesting', {}, 'at least one of contract_address or wallet_address is required'],
      [
        'vesting',
        { contract_address: account, wallet_address: account },
        'only one of contract_address or wallet_address should be specified',
      ],
      ['accountStates', {}, 'address of account is required'],
      ['walletStates', { address: ['', ''] }, 'address of account is required'],
      ['walletStates', {}, 'address of account is required'],
      ['addressBook', {}, 'at least 1 address required'],
      ['metadata', {}, 'at least 1 address required'],
      ...['masterchainBlockShards', 'masterchainBlockShardState', 'transactionsByMasterchainBlock'].map(
        (name): (typeof table)[number] => [name, {}, 'seqno is required'],
      ),
      ['actions', { action_type: 'a-b' }, 'action_type contains invalid characters'],
      ['actions', { exclude_action_type: ['a', 'b,c'] }, 'exclude_action_type contains invalid characters'],
      ['decode', { opcodes: ['1', 'xyz'] }, 'invalid opcode format at index 1: xyz'],
      ['decode', { opcodes: Array.from({ length: 1001 }, () => '1') }, 'opcodes list exceeds maximum length of 1000'],
      ['decode', { bodies: Array.from({ length: 1001 }, () => 'x') }, 'bodies list exceeds maximum length of 1000'],
      [
        'addressBook',
        { address: Array.from({ length: 1025 }, (_, at) => `${at}`) },
        'maximum 1024 values allowed, 1025 given',
      ],
      ...['addressInformation', 'account', 'walletInformation', 'wallet'].flatMap((name): typeof table => [
        [name, {}, { status: 401, text: 'address of account is required' }],
        [name, { address: '' }, unreadable('address')],
      ]),
      ...['transactions', 'traces', 'actions', 'events'].map((name): (typeof table)[number] => [
        name,
        { mc_seqno: '99999999' },
        { status: 404, text: 'masterchain block 99999999 not found' },
      ]),
      ['transactionsByMasterchainBlock', { seqno: '-1' }, { status: 404, text: 'masterchain block -1 not found' }],
      ['masterchainBlockShards', { seqno: '99999999' }, { status: 404, text: 'blocks not found' }],
      ['masterchainBlockShardState', { seqno: '99999999' }, { status: 404, text: 'blocks not found' }],
      ['adjacentTransactions', { hash }, { status: 404, text: 'adjacent transactions not found' }],
      ['pendingTransactions', { account }, { status: 404, text: 'emulated traces not found' }],
    ]
    await collect(
      table.map(([name, args, refusal]) => async () => {
        const { status, text } = typeof refusal === 'string' ? refused(refusal) : refusal
        const answer = await ask(name, args)
        return answer.status === status && answer.body?.error === text
          ? undefined
          : describeWrong(name, args, answer, `${status} ${text}`)
      }),
    )
  })

  test('cursors that somebody made up', async (t) => {
    const demo = await openV3Demo(service)
    for (let step = 0; step < 25; step++) {
      await demo.traffic.step()
      await service.network.controls.mine(1)
    }
    await demo.settle()
    const places = await findV3Places(service.url, demo.plan)
    const unseen = lists.filter(({ name }) => !places.some((place) => place.name === name))
    assert.deepEqual(
      unseen.map(({ name }) => name),
      [],
    )
    // In the short form one in four, another of each order.
    const made = places.flatMap((place, k) => forgeCursors(place).filter((_, at) => isLong || (at + k) % 4 === 0))
    let refusals = 0
    await collect(
      made.map(({ name, args, cursor, said }) => async () => {
        const answer = await ask(name, { ...args, cursor })
        if (answer.status === 422) refusals++
        const isRight = answer.status === 200 || (answer.status === 422 && /cursor/.test(answer.body.error))
        return isRight ? undefined : describeWrong(name, { ...args, said }, answer, 'a page or a refusal')
      }),
    )
    t.diagnostic(`${places.length} orders, ${made.length} forged cursors, ${refusals} refused`)
    await collect(
      lists.flatMap(({ name }) =>
        nonsense.map((cursor) => async () => {
          const answer = await ask(name, { ...bases[name], cursor })
          return answer.status === 422 ? undefined : describeWrong(name, { cursor }, answer, '422')
        }),
      ),
    )
  })

  test('methods, paths and bodies', async () => {
    const json = { 'content-type': 'application/json' }
    const works: (() => Promise<string | undefined>)[] = []
    const expect = (path: string, init: RequestInit, status: number, text?: string | RegExp) =>
      works.push(async () => {
        const answer = await send(path, init)
        const said = answer.body?.error
        const isRight =
          text === undefined ? typeof said === 'string' : typeof text === 'string' ? said === text : text.test(said)
        return answer.status === status && isRight
          ? undefined
          : describeWrong(`${init.method} ${path}`, {}, answer, `${status} ${text ?? ''}`)
      })
    for (const { name, methods = ['GET', 'POST'] } of endpoints) {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']) {
        if (methods.includes(method as 'GET')) continue
        expect(name, { method, ...(method !== 'GET' && { headers: json, body: '{}' }) }, 405)
      }
      expect(`${name}/more`, {}, 404)
    }
    for (const path of ['', 'nothing', 'jetton', 'nft/', 'transactions/1', '__proto__']) expect(path, {}, 404)
    for (const { name } of posted) {
      const method = 'POST'
      expect(name, { method, body: new Uint8Array(Buffer.from('{}')) }, 422)
      expect(name, { method, headers: { 'content-type': 'text/plain' }, body: '{}' }, 422)
      expect(name, { method, headers: json, body: '{' }, 422)
      expect(name, { method, headers: json, body: '' }, 422)
      for (const body of ['[]', '7', '"x"', 'null']) expect(name, { method, headers: json, body }, 422)
    }
    const post = (name: string, body: object, status: number, text: string) =>
      expect(
        name,
        { method: 'POST', headers: { 'content-type': 'application/vnd.x+json' }, body: JSON.stringify(body) },
        status,
        text,
      )
    post('message', {}, 401, 'boc is required')
    post('message', { boc: '' }, 401, 'boc is required')
    post('message', { boc: [] }, 422, unreadable('boc').text)
    post('estimateFee', {}, 422, 'address is required')
    post('estimateFee', { address: account }, 422, 'body is required')
    post(
      'estimateFee',
      { address: account, body: [], ignore_chksig: 'perhaps' },
      422,
      `${unreadable('body').text} (and 1 other error)`,
    )
    post('runGetMethod', {}, 401, 'address is required')
    post('runGetMethod', { address: account }, 401, 'method is required')
    post('runGetMethod', { address: account, method: 85143 }, 422, unreadable('method').text)
    post('runGetMethod', { address: account, method: 'seqno', stack: {} }, 422, unreadable('stack').text)
    post('runGetMethod', { address: account, method: 'seqno', stack: [5] }, 422, unreadable('stack').text)
    post(
      'runGetMethod',
      { address: account, method: 'seqno', stack: [{ type: 'list', value: [] }] },
      500,
      'unsupported stack parameter type: list',
    )
    post('decode', { opcodes: 'x' }, 422, unreadable('opcodes').text)
    post('decode', { opcodes: ['zz'] }, 422, 'invalid opcode format at index 0: zz')
    await collect(works)
  })

  test('nothing went wrong inside', async () => assert.deepEqual(service.logLines, []))
})
