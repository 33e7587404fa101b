import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { parseAddress } from '../../src/primitives/Address.ts'
import type { Database } from '../../src/store/connect/Database.ts'
import type { ActionRecord } from '../../src/store/reader/actions.ts'
import { findTransactionsByHash } from '../../src/store/reader/findTransactions.ts'
import type { PendingAction, PendingTrace, PendingTraces, PendingTransaction } from '../../src/store/reader/pending.ts'
import { readTransactions } from '../../src/store/reader/readTransactions.ts'
import { writeActions } from '../../src/store/writer/actions.ts'
import { missingDatabase, openFreshDatabase } from '../support/database.ts'
import { getV3, type Json } from '../support/v3Client.ts'
import { askBothWays, assertV3Refused } from '../support/v3Oracle.ts'
import { startV3Network, type V3NetworkService } from '../support/v3Service.ts'

const hash = (fill: number): Uint8Array => new Uint8Array(32).fill(fill)
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

type Trace = {
  readonly trace_id: Uint8Array
  readonly end_lt: bigint
  readonly end_utime: number
  readonly mc_seqno: number
  readonly transactions: readonly { readonly hash: Uint8Array; readonly account: Uint8Array; readonly lt: bigint }[]
}

const compare = (a: bigint | number | string, b: bigint | number | string): number => (a < b ? -1 : a > b ? 1 : 0)
const byLt = (a: ActionRecord, b: ActionRecord): number =>
  compare(a.traceEndLt, b.traceEndLt) ||
  compare(hex(a.traceId), hex(b.traceId)) ||
  compare(a.endLt, b.endLt) ||
  compare(hex(a.actionId), hex(b.actionId))
const byTime = (a: ActionRecord, b: ActionRecord): number =>
  compare(a.traceEndUtime, b.traceEndUtime) ||
  compare(hex(a.traceId), hex(b.traceId)) ||
  compare(a.endUtime, b.endUtime) ||
  compare(hex(a.actionId), hex(b.actionId))

const types = [
  'ton_transfer',
  'call_contract',
  'jetton_transfer',
  'jvault_stake',
  'nft_purchase',
  'tgbtc_mint',
] as const

describe('v3 actions', { skip: missingDatabase() }, () => {
  let service: V3NetworkService
  let database: Database
  let endings: (() => unknown)[] = []
  let traces: Trace[] = []
  /** In their order. */
  let stored: ActionRecord[] = []
  let foreseen: PendingTrace[] = []
  const pending: PendingTraces = {
    find: async (question) =>
      foreseen.filter(({ externalHash, externalHashNorm, traceId, transactions, actions = [] }) => {
        if ('hashes' in question) {
          const names = [externalHash, externalHashNorm, ...(traceId === undefined ? [] : [traceId])].map(hex)
          return question.hashes.some((each) => names.includes(hex(each)))
        }
        const taking = [...transactions.map(({ account }) => account), ...actions.flatMap(({ accounts }) => accounts)]
        return question.accounts.some((each) => taking.map(hex).includes(hex(each)))
      }),
  }

  const ask = (args: object, name = 'actions'): Promise<Json> => askBothWays(service.url, name, { ...args })
  const refuse = (args: object, status: number, message: string | RegExp, name = 'actions'): Promise<void> =>
    assertV3Refused(service.url, name, { ...args }, status, message)
  const rowsOf = (sql: string): Promise<Json[]> =>
    database.transaction(async (client) => (await client.query(sql)).rows as Json[])
  const addressOf = (account: Uint8Array): string =>
    `${(account[0]! << 24) >> 24}:${hex(account.subarray(1)).toUpperCase()}`
  const shown = (body: Json): string[] => body.actions.map((each: Json) => `${each.trace_id} ${each.action_id}`)
  const named = (actions: readonly ActionRecord[]): string[] =>
    actions.map(({ traceId, actionId }) => `${text(traceId)} ${text(actionId)}`)
  /** What the newest version shows. */
  const visible = (): ActionRecord[] =>
    stored.filter(({ type, ancestorTypes }) => type !== 'tgbtc_mint' && ancestorTypes.length === 0)

  /** Made up for each trace: one action of some type, and for composite ones the part that old clients see. */
  const makeActions = (trace: Trace, k: number): ActionRecord[] => {
    const type = types[k % types.length]!
    const [first] = trace.transactions
    const accounts = trace.transactions.map(({ account }) => account)
    const make = (actionId: Uint8Array, own: Partial<ActionRecord>): ActionRecord => ({
      traceId: trace.trace_id,
      actionId,
      startLt: first!.lt,
      endLt: trace.end_lt,
      startUtime: trace.end_utime,
      endUtime: trace.end_utime,
      traceEndLt: trace.end_lt,
      traceEndUtime: trace.end_utime,
      traceEndSeqno: trace.mc_seqno,
      transactions: trace.transactions.map((each) => each.hash),
      accounts,
      success: k % 5 === 0 ? undefined : k % 2 === 0,
      type,
      shownType: undefined,
      ancestorTypes: [],
      details: { source: addressOf(accounts[0]!), value: '5', nested: { list: [addressOf(accounts.at(-1)!), null] } },
      rawAction: undefined,
      ...own,
    })
    const whole = make(hash(k % 250), k % types.length === 1 ? { shownType: 'extra_currency_transfer' } : {})
    if (type !== 'jvault_stake') return [whole]
    const part = { type: 'jetton_transfer', ancestorTypes: ['jvault_stake'], endLt: trace.end_lt - 1n }
    return [whole, make(hash(251), { ...part, transactions: [first!.hash], accounts: [accounts[0]!] })]
  }

  before(async () => {
    const cleanup = { after: (ending: () => unknown) => void endings.push(ending) }
    database = await openFreshDatabase(cleanup as unknown as TestContext)
    service = await startV3Network(cleanup, database, { pending, classify: false })
    const { controls } = service.network
    for (let round = 0; round < 6; round++) {
      for (const each of [1, 2, 3]) await controls.faucet(parseAddress(`0:${`${each}A`.repeat(32)}`), 1_000_000_000n)
      await controls.mine(2)
    }
    await service.catchUp()
    traces = await rowsOf(
      `SELECT trace_id, end_lt, end_utime, mc_seqno, ARRAY(SELECT ROW(t.hash, t.account, t.lt)::text FROM transactions t WHERE t.trace_id = r.trace_id ORDER BY t.lt, t.account) AS members FROM traces r WHERE transactions > 1 ORDER BY end_lt`,
    ).then((rows) =>
      rows.map(({ members, ...row }) => ({
        ...row,
        transactions: members.map((member: string) => {
          const [own, account, lt] = member.replaceAll(/[()"\\]/g, '').split(',') as [string, string, string]
          return {
            hash: Buffer.from(own.slice(1), 'hex'),
            account: Buffer.from(account.slice(1), 'hex'),
            lt: BigInt(lt),
          }
        }),
      })),
    )
    stored = traces.flatMap(makeActions)
    await database.transaction(async (client) => {
      await writeActions(client, stored)
      await client.query('DELETE FROM unclassified_blocks')
    })
    stored.sort(byLt)
  })
  after(async () => {
    for (const ending of endings.reverse()) await ending()
    endings = []
  })

  test('all of them, as they are written', async () => {
    assert.ok(traces.length >= 18, `${traces.length} traces`)
    const body = await ask({ limit: 1000, include_accounts: true })
    assert.deepEqual(shown(body), named(visible().reverse()))
    assert.deepEqual(shown(await ask({ limit: 1000, sort: 'asc' })), named(visible()))
    const roots = new Map(
      (await rowsOf('SELECT hash, in_hash, in_hash_norm FROM transactions')).map((row) => [text(row.hash), row]),
    )
    for (const [k, action] of visible().reverse().entries()) {
      const root = roots.get(text(action.traceId))!
      assert.deepEqual(body.actions[k], {
        trace_id: text(action.traceId),
        action_id: text(action.actionId),
        start_lt: String(action.startLt),
        end_lt: String(action.endLt),
        start_utime: action.startUtime,
        end_utime: action.endUtime,
        trace_end_lt: String(action.traceEndLt),
        trace_end_utime: action.traceEndUtime,
        trace_mc_seqno_end: action.traceEndSeqno,
        transactions: action.transactions.map(text),
        success: action.success ?? null,
        type: action.shownType ?? action.type,
        details: action.details,
        trace_external_hash: text(root.in_hash),
        ...(root.in_hash_norm !== null && { trace_external_hash_norm: text(root.in_hash_norm) }),
        accounts: [...new Set(action.accounts.map(addressOf))],
        finality: 'finalized',
      })
    }
    const [first] = visible()
    const { details } = first! as { readonly details: Json }
    assert.ok(details.source in body.address_book && details.nested.list[0] in body.address_book)
    assert.equal('accounts' in (await ask({})).actions[0], false)
    assert.equal((await ask({})).actions.length, 10)
  })

  test('pages by place and by number', async () => {
    const account = addressOf(visible()[0]!.accounts[0]!)
    for (const args of [
      {},
      { sort: 'asc' },
      { account },
      { account, sort: 'asc', end_utime: 4_000_000_000 },
      { exclude_action_type: 'ton_transfer' },
      { start_utime: 1 },
    ]) {
      const whole = shown(await ask({ ...args, limit: 1000 }))
      const byCursor: string[] = []
      const byOffset: string[] = []
      let cursor: string | undefined
      do {
        const { body, headers } = await getV3(`${service.url}/api/v3`, 'actions', { ...args, limit: 5, cursor })
        byCursor.push(...shown(body))
        byOffset.push(
          ...shown(
            (await getV3(`${service.url}/api/v3`, 'actions', { ...args, limit: 5, offset: byOffset.length })).body,
          ),
        )
        cursor = headers.get('x-next-cursor') ?? undefined
      } while (cursor !== undefined)
      assert.deepEqual(byCursor, whole, JSON.stringify(args))
      assert.deepEqual(byOffset, whole, JSON.stringify(args))
    }
  })

  test('of an account, in windows of the end of their traces', async () => {
    const all = visible()
    for (const account of new Set(all.flatMap(({ accounts }) => accounts.map(addressOf)))) {
      const own = all.filter(({ accounts }) => accounts.map(addressOf).includes(account))
      assert.deepEqual(shown(await ask({ account, limit: 1000, sort: 'asc' })), named(own))
      const middle = own[Math.floor(own.length / 2)]!
      const from = { account, start_lt: String(middle.traceEndLt), limit: 1000, sort: 'asc' }
      assert.deepEqual(shown(await ask(from)), named(own.filter(({ traceEndLt }) => traceEndLt >= middle.traceEndLt)))
      const timed = own.filter(({ traceEndUtime }) => traceEndUtime <= middle.traceEndUtime).sort(byTime)
      assert.deepEqual(
        shown(await ask({ account, end_utime: middle.traceEndUtime, limit: 1000, sort: 'asc' })),
        named(timed),
      )
      const rare = own.filter(({ type }) => type === 'nft_purchase')
      assert.deepEqual(
        shown(await ask({ account, action_type: 'nft_purchase', sort: 'asc', limit: 1000 })),
        named(rare),
      )
    }
    assert.deepEqual(await ask({ account: `0:${'77'.repeat(32)}` }), { actions: [], address_book: {}, metadata: {} })
    const early = all.filter(({ traceEndLt }) => traceEndLt <= all[4]!.traceEndLt)
    assert.deepEqual(shown(await ask({ end_lt: String(all[4]!.traceEndLt), sort: 'asc' })), named(early))
  })

  test('by what they consist of, all conditions at once', async () => {
    const all = visible()
    const [one, two] = [all[3]!, all[7]!]
    const both = named([one, two])
    const ids = { action_id: [one, two].map(({ actionId }) => text(actionId)) }
    assert.deepEqual(
      shown(await ask({ ...ids, sort: 'asc' })),
      named(all.filter(({ actionId }) => [one, two].some((each) => hex(each.actionId) === hex(actionId)))),
    )
    // Nothing else counts beside ids, but types do.
    assert.deepEqual(
      shown(await ask({ ...ids, account: `0:${'77'.repeat(32)}`, start_lt: 1n.toString(), mc_seqno: 1, sort: 'asc' }))
        .length,
      2,
    )
    assert.deepEqual(shown(await ask({ ...ids, exclude_action_type: [one.type, two.type] })), [])
    const inTraces = { trace_id: [one, two].map(({ traceId }) => text(traceId)), sort: 'asc' }
    assert.deepEqual(shown(await ask({ ...inTraces, end_lt: '1', mc_seqno: 99_999_999 })), both)
    assert.deepEqual(shown(await ask({ ...inTraces, account: `0:${'77'.repeat(32)}` })), [])
    const last = (action: ActionRecord): string => text(action.transactions.at(-1)!)
    assert.deepEqual(shown(await ask({ tx_hash: [last(one), last(two)], sort: 'asc' })), both)
    const account = addressOf(one.accounts.at(-1)!)
    const shared = all.filter((each) => [one, two].includes(each) && each.accounts.map(addressOf).includes(account))
    assert.deepEqual(shown(await ask({ tx_hash: [last(one), last(two)], account, sort: 'asc' })), named(shared))
    const [message] = await rowsOf(
      `SELECT in_hash FROM transactions WHERE hash = '\\x${hex(one.transactions.at(-1)!)}'`,
    )
    assert.deepEqual(shown(await ask({ msg_hash: text(message.in_hash) })), named([one]))
    const [root] = await rowsOf(
      `SELECT coalesce(in_hash_norm, in_hash) AS hash FROM transactions WHERE hash = '\\x${hex(one.traceId)}'`,
    )
    assert.deepEqual(shown(await ask({ msg_hash: text(root.hash) })), named([one]))
    // Of the part, only the first transaction is: it sent the message that the other received.
    const part = stored.find(({ ancestorTypes }) => ancestorTypes.length > 0)!
    const [sent] = await rowsOf(
      `SELECT in_hash FROM transactions WHERE trace_id = '\\x${hex(part.traceId)}' ORDER BY lt DESC LIMIT 1`,
    )
    const parts = { supported_action_types: 'v1', action_type: 'jetton_transfer' }
    assert.deepEqual(shown(await ask({ ...parts, msg_hash: text(sent.in_hash) })), named([part]))
    const { traceEndSeqno: mc_seqno } = one
    const ended = all.filter(({ traceEndSeqno }) => traceEndSeqno === mc_seqno)
    assert.deepEqual(shown(await ask({ mc_seqno, sort: 'asc' })), named(ended))
    assert.deepEqual(shown(await ask({ mc_seqno, tx_hash: last(one), account })), named([one]))
    assert.deepEqual(
      shown(await ask({ mc_seqno, account, sort: 'asc' })),
      named(ended.filter(({ accounts }) => accounts.map(addressOf).includes(account))),
    )
    assert.deepEqual(shown(await ask({ mc_seqno: mc_seqno + 1, tx_hash: last(one) })), [])
    assert.deepEqual(shown(await ask({ tx_hash: text(hash(9)) })), [])
  })

  test('types: who does not know the whole sees its parts, and nobody both', async () => {
    const expect = async (args: object, isExpected: (action: ActionRecord) => boolean): Promise<void> => {
      const expected = named(stored.filter(isExpected))
      assert.deepEqual(shown(await ask({ ...args, limit: 1000, sort: 'asc' })), expected, JSON.stringify(args))
    }
    const v1 = new Set(['ton_transfer', 'call_contract', 'jetton_transfer'])
    await expect({ supported_action_types: 'v1' }, ({ type }) => v1.has(type))
    await expect(
      { supported_action_types: ['v1', 'jvault'] },
      ({ type, ancestorTypes }) => (v1.has(type) || type === 'jvault_stake') && ancestorTypes.length === 0,
    )
    await expect(
      { supported_action_types: 'v2' },
      ({ type, ancestorTypes }) => (v1.has(type) || type === 'jvault_stake') && ancestorTypes.length === 0,
    )
    await expect({ supported_action_types: ['latest', 'tgbtc'] }, ({ ancestorTypes }) => ancestorTypes.length === 0)
    await expect({ supported_action_types: ['tgbtc_mint'] }, ({ type }) => v1.has(type) || type === 'tgbtc_mint')
    await expect(
      { action_type: ['tgbtc_mint', 'nft_purchase'] },
      ({ type }) => type === 'tgbtc_mint' || type === 'nft_purchase',
    )
    await expect(
      { action_type: 'jetton_transfer' },
      ({ type, ancestorTypes }) => type === 'jetton_transfer' && ancestorTypes.length === 0,
    )
    await expect(
      { action_type: 'jetton_transfer', supported_action_types: 'v1' },
      ({ type }) => type === 'jetton_transfer',
    )
    await expect(
      { exclude_action_type: ['ton_transfer', 'nft_purchase'] },
      (each) => visible().includes(each) && !['ton_transfer', 'nft_purchase'].includes(each.type),
    )
    await expect({ action_type: 'ton_transfer', exclude_action_type: 'ton_transfer' }, () => false)
    // By time, in which many of them are equal.
    const timed = await ask({ action_type: 'ton_transfer', start_utime: 1, limit: 1000 })
    const transfers = stored.filter(({ type, ancestorTypes }) => type === 'ton_transfer' && ancestorTypes.length === 0)
    assert.deepEqual([...shown(timed)].sort(), [...named(transfers)].sort())
    const { body } = await getV3(
      `${service.url}/api/v3`,
      'actions',
      { supported_action_types: 'latest', limit: 1000, sort: 'asc' },
      { 'X-Actions-Version': 'v1' },
    )
    assert.deepEqual(shown(body), named(stored.filter(({ type }) => v1.has(type))))
    for (const [k, { traceId }] of stored.entries()) {
      if (k > 6) break
      const [trace] = (
        await ask({ trace_id: text(traceId), include_actions: true, supported_action_types: 'v1' }, 'traces')
      ).traces
      const own = stored.filter((each) => hex(each.traceId) === hex(traceId) && v1.has(each.type))
      assert.deepEqual(
        shown(trace),
        named(own.sort((a, b) => compare(a.startLt, b.startLt) || compare(a.endLt, b.endLt))),
      )
    }
  })

  test('with all their transactions', async () => {
    const body = await ask({ include_transactions: true, limit: 20 })
    for (const action of body.actions) {
      assert.deepEqual(
        action.transactions_full.map((each: Json) => each.hash),
        action.transactions,
      )
      for (const each of action.transactions_full) {
        assert.equal(each.trace_id, action.trace_id)
        assert.ok(each.account in body.address_book)
      }
    }
  })

  test('those with more than 30,000 transactions, or 200,000 messages, are listed, the last without transactions', async () => {
    const [first, large, last] = visible().slice(-3).reverse() as [ActionRecord, ActionRecord, ActionRecord]
    assert.ok([first, last].every(({ transactions }) => transactions.length > 0))
    const list = async () => {
      const { status, body } = await getV3(`${service.url}/api/v3`, 'actions', { include_transactions: true, limit: 3 })
      assert.equal(status, 200, JSON.stringify(body).slice(0, 300))
      assert.deepEqual(shown(body), named([first, large, last]))
      return body.actions.map((action: Json) => action.transactions_full.length)
    }
    const whole = [first, large, last].map(({ transactions }) => transactions.length)
    assert.deepEqual(await list(), whole)
    const key = `trace_id = '\\x${hex(large.traceId)}' AND action_id = '\\x${hex(large.actionId)}'`
    const members = large.transactions.map((each) => `'\\x${hex(each)}'::bytea`).join()
    await rowsOf(
      `UPDATE actions SET transactions = ARRAY[${members}] || ARRAY(SELECT sha256(k::text::bytea) FROM generate_series(1, 30000) AS k) WHERE ${key}`,
    )
    assert.deepEqual(await list(), [...whole.slice(0, 2), 0])
    await rowsOf(`UPDATE actions SET transactions = ARRAY[${members}] WHERE ${key}`)
    // Six transactions of 32,000 messages are shown.
    await rowsOf('UPDATE transactions SET out_count = out_count + 32000')
    const { status, body } = await getV3(`${service.url}/api/v3`, 'actions', { include_transactions: true, limit: 10 })
    await rowsOf('UPDATE transactions SET out_count = out_count - 32000')
    assert.equal(status, 200, JSON.stringify(body).slice(0, 300))
    assert.deepEqual(shown(body), named(visible().slice(-10).reverse()))
    const full = body.actions.flatMap((action: Json) => action.transactions_full.map((each: Json) => each.hash))
    assert.deepEqual([...new Set(full)].length, 6)
    assert.deepEqual(full.slice(0, whole[0]), first.transactions.map(text))
  })

  test('what is not served', async () => {
    const characters = 'contains invalid characters'
    await refuse({ action_type: 'ton_transfer,nft' }, 422, `action_type ${characters}`)
    await refuse({ exclude_action_type: ['a', 'b c'] }, 422, `exclude_action_type ${characters}`)
    await refuse({ action_id: 'x' }, 422, 'failed to decode: schema: error converting value for index 0 of "action_id"')
    await refuse(
      { include_accounts: 'x' },
      422,
      'failed to decode: schema: error converting value for "include_accounts"',
    )
    await refuse(
      { include_transactions: 'x', end_lt: 'y' },
      422,
      /^failed to decode: schema: error converting value for "end_lt" \(and 1 other error\)|^failed to decode: schema: error converting value for "include_transactions" \(and 1 other error\)/,
    )
    await refuse({ mc_seqno: 99_999_999 }, 404, 'masterchain block 99999999 not found')
    await refuse(
      { mc_seqno: 99_999_999, account: addressOf(stored[0]!.accounts[0]!) },
      404,
      'masterchain block 99999999 not found',
    )
    await refuse({ sort: 'x' }, 422, 'wrong value for sort parameter')
    await refuse({ limit: 2000 }, 422, 'limit is not allowed: 2000 > 1000')
    for (const name of ['pendingTraces', 'pendingActions']) {
      await refuse({}, 422, 'account or ext_msg_hash should be specified', name)
      await refuse({ account: 'x' }, 422, 'failed to decode: schema: error converting value for "account"', name)
      await refuse(
        { ext_msg_hash: 'x' },
        422,
        'failed to decode: schema: error converting value for index 0 of "ext_msg_hash"',
        name,
      )
    }
    await refuse({}, 422, 'at least 1 account address or trace_id required', 'pendingTransactions')
    await refuse(
      { account: ['x'] },
      422,
      'failed to decode: schema: error converting value for index 0 of "account"',
      'pendingTransactions',
    )
    assert.deepEqual(service.logLines, [])
  })

  test('what is pending, until it is in the index', async () => {
    const nobody = { account: `0:${'77'.repeat(32)}` }
    assert.deepEqual(await ask(nobody, 'pendingTraces'), { traces: [], address_book: {}, metadata: {} })
    assert.deepEqual(await ask(nobody, 'pendingActions'), { actions: [], address_book: {}, metadata: {} })
    await refuse(nobody, 404, 'emulated traces not found', 'pendingTransactions')
    await refuse({ trace_id: text(hash(1)) }, 404, 'emulated traces not found', 'pendingTransactions')

    const [early, late] = [await foresee(traces[2]!, 1), await foresee(traces[5]!, 0)]
    const done = await foresee(traces[1]!, 2)
    foreseen = [early, late, { ...done, traceId: traces[1]!.trace_id }]
    const hashes = [text(late.externalHash), text(early.externalHashNorm), text(traces[1]!.trace_id)]
    const found = await ask({ ext_msg_hash: hashes }, 'pendingTraces')
    assert.deepEqual(
      found.traces.map(({ external_hash }: Json) => external_hash),
      [text(late.externalHash), text(early.externalHash)],
    )
    const [second, first] = found.traces
    assert.deepEqual(
      [first.trace_id, first.mc_seqno_start, first.trace_info.trace_state, second.mc_seqno_start],
      [null, '0', 'pending', '0'],
    )
    assert.deepEqual(
      first.actions.map(({ type }: Json) => type),
      ['ton_transfer'],
    )
    assert.deepEqual([first.trace_info.classification_state, first.trace_info.messages], ['ok', 2])
    assert.deepEqual(
      Object.values<Json>(first.transactions).map(({ emulated, finality }) => [emulated, finality]),
      first.transactions_order.map(() => [true, 'pending']),
    )
    assert.equal(first.trace.children.length, 1)

    const account = addressOf(early.transactions.at(-1)!.account)
    const own = [early, late].filter(({ transactions }) =>
      transactions.some((each) => addressOf(each.account) === account),
    )
    assert.equal((await ask({ account }, 'pendingTraces')).traces.length, own.length)
    const told = await ask({ ext_msg_hash: hashes, include_transactions: true }, 'pendingActions')
    assert.deepEqual(
      told.actions.map(({ trace_external_hash }: Json) => trace_external_hash),
      [text(late.externalHash), text(early.externalHash)],
    )
    for (const action of told.actions)
      assert.deepEqual(
        action.transactions_full.map((each: Json) => each.hash),
        action.transactions,
      )
    assert.deepEqual(
      (await ask({ account: addressOf(early.transactions[0]!.account) }, 'pendingActions')).actions.length,
      2,
    )
    assert.deepEqual(
      (await ask({ account: `0:${'2A'.repeat(32)}`, supported_action_types: 'v1' }, 'pendingActions')).actions,
      [],
    )

    const waiting = await ask({ account: [addressOf(early.transactions[0]!.account), account] }, 'pendingTransactions')
    const lts = waiting.transactions.map(({ lt }: Json) => BigInt(lt))
    assert.ok(lts.length >= 2 && lts.every((lt: bigint, k: number) => k === 0 || lt <= lts[k - 1]))
    assert.ok(waiting.transactions.every((each: Json) => each.emulated && !('trace_id' in each)))
    const ofTrace = await ask({ trace_id: text(early.externalHash), x_no_address_book: true }, 'pendingTransactions')
    assert.equal(ofTrace.transactions.length, early.transactions.length)
    assert.ok(Object.keys(ofTrace.address_book).length > 0)

    // All of it was indexed under way: nothing is shown twice, and nothing is null.
    foreseen = [{ ...early, ...(await asIndexed(traces[2]!)) }]
    assert.deepEqual((await ask({ account }, 'pendingTraces')).traces, [])
    assert.deepEqual((await ask({ account }, 'pendingActions')).actions, [])
    assert.deepEqual((await ask({ account }, 'pendingTransactions')).transactions, [])
    foreseen = []
  })

  const asIndexed = async (
    trace: Trace,
  ): Promise<Pick<PendingTrace, 'transactions' | 'externalHash' | 'externalHashNorm'>> => {
    const reader = database.reader()
    const rows = await findTransactionsByHash(
      reader.listReads,
      trace.transactions.map((each) => each.hash),
    )
    const records = await readTransactions(reader, rows)
    const { inMessage } = records.find((each) => hex(each.hash) === hex(trace.trace_id))!
    return {
      transactions: records.map((record) => ({
        ...record,
        traceId: undefined,
        isEmulated: true,
        finality: 'pending',
        mcSeqno: 0,
      })),
      externalHash: inMessage!.hash,
      externalHashNorm: inMessage!.normalHash ?? inMessage!.hash,
    }
  }

  /** As if a trace like this one, of other messages, were to come. */
  const foresee = async (trace: Trace, salt: number): Promise<PendingTrace> => {
    const { transactions } = await asIndexed(trace)
    const other = (own: Uint8Array): Uint8Array => Uint8Array.from(own, (byte) => byte ^ (0x51 + salt))
    const changed = transactions.map(
      (each): PendingTransaction => ({
        ...each,
        hash: other(each.hash),
        inMessage: each.inMessage && { ...each.inMessage, hash: other(each.inMessage.hash) },
        outMessages: each.outMessages.map((message) => ({ ...message, hash: other(message.hash) })),
      }),
    )
    const root = changed.reduce((least, each) => (each.lt < least.lt ? each : least))
    const externalHash = root.inMessage!.hash
    const action: PendingAction = {
      ...makeActions(trace, 0)[0]!,
      traceId: undefined,
      finality: 'pending',
      transactions: changed.map((each) => each.hash),
      accounts: [root.account],
    }
    return {
      externalHash,
      externalHashNorm: Uint8Array.from(externalHash, (byte) => byte ^ 0x0f),
      traceId: undefined,
      transactions: changed,
      actions: [action, { ...action, actionId: hash(77), type: 'tgbtc_mint' }],
      isIncomplete: false,
    }
  }
})
