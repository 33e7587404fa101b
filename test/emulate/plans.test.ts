import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { jettonTransferBody, jettonWalletAddress } from '../../src/devnet/contracts/jettonContracts.ts'
import type { OutgoingMessage } from '../../src/devnet/contracts/messages.ts'
import type { DevAccount } from '../../src/devnet/wallets/createDevAccounts.ts'
import { signTransfer } from '../../src/devnet/wallets/signTransfer.ts'
import { issueKey } from '../../src/gateway/keys/keyText.ts'
import { createPlans } from '../../src/gateway/plans.ts'
import { type Address, formatUpperRawAddress } from '../../src/primitives/Address.ts'
import { freshDatabase, missingDatabase, openFreshDatabase } from '../support/database.ts'
import { bocOf, type EmulatedNetwork, startEmulatedNetwork } from '../support/emulatedNetwork.ts'
import { filled } from '../support/sampleMessages.ts'
import { untilIndexed } from '../support/untilIndexed.ts'
import type { Json, V3Answer } from '../support/v3Client.ts'

const secret = 'the secret of these tests'
const raw = formatUpperRawAddress

describe('emulation with API keys and an index', { skip: missingDatabase() }, () => {
  let own: EmulatedNetwork
  let alice: DevAccount
  let dave: DevAccount
  const keys = new Map<string, string>()

  const endings: (() => unknown)[] = []
  after(async () => {
    for (const end of endings.reverse()) await end()
  })

  before(async () => {
    const cleanup = { after: (end: () => unknown) => endings.push(end) } as unknown as TestContext
    const databaseUrl = await freshDatabase(cleanup)
    const database = await openFreshDatabase(cleanup, { url: databaseUrl })
    for (const plan of ['free', 'plus', 'advanced']) {
      const order = { network: 'custom', plan, rate: undefined, note: undefined, isSelfMade: false }
      const { text } = await database.transaction((client) => issueKey(client, Buffer.from(secret), order))
      keys.set(plan, text)
    }
    const plenty = { perSecond: 10_000, burst: 10_000 }
    const gateway = {
      network: 'custom',
      isLocalFree: false,
      anonymous: { v2: plenty, v3: plenty },
      plans: createPlans(),
      trustedProxies: [],
      redisUrl: undefined,
      secret: { given: secret, folder: '' },
      selfServiceKeys: undefined,
    }
    own = await startEmulatedNetwork(cleanup, { http: { gateway }, index: { databaseUrl } })
    alice = own.account('alice')
    dave = own.account('dave')
    // The thread of recordings starts with the first of them, which takes long on a busy machine.
    await expectAnswer('api/debug/v1/message', { boc: await sign([toDave()]) })
  })

  const ask = async (path: string, body: object, plan?: string): Promise<V3Answer> => {
    const key = plan === undefined ? undefined : keys.get(plan)
    const headers = { 'content-type': 'application/json', ...(key !== undefined && { 'x-api-key': key }) }
    const response = await fetch(`${own.url}/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }

  const expectAnswer = async (path: string, body: object): Promise<Json> => {
    const answer = await ask(path, body, 'advanced')
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body
  }

  const sign = async (messages: readonly OutgoingMessage[], later = 0): Promise<string> => {
    const seqno = (await own.findSeqno(alice)) + later
    return bocOf(signTransfer(alice.wallet, alice.key, { seqno, validUntil: 0xffff_ffff, messages }, { deploy: false }))
  }

  const toDave = (): OutgoingMessage => ({ destination: dave.wallet.address, value: 1_000_000n, bounce: false })

  test('plan limits: steps, transactions, past blocks, vm steps and the scope debug', async () => {
    const boc = await sign([toDave()])
    const steps = (count: number) => ({ steps: Array.from({ length: count }, () => ({ advance: { blocks: 1 } })) })
    const simulate = 'api/emulate/v1/simulate'
    const trace = 'api/emulate/v1/emulateTrace'
    const message = 'api/debug/v1/message'
    const method = { address: raw(alice.wallet.address), method: 'seqno' }
    const past = { boc, mc_block_seqno: own.network.controls.getStatus().head.seqno - 1 }
    const cases: readonly (readonly [string, object, string | undefined, number])[] = [
      [simulate, steps(5), undefined, 403],
      [trace, { boc, limits: { transactions: 65 } }, undefined, 403],
      [trace, past, undefined, 403],
      [trace, { boc, vm: 'all' }, undefined, 403],
      [trace, { boc, vm: 'failed' }, undefined, 200],
      [message, { boc, steps: 'all' }, undefined, 403],
      [message, { boc }, undefined, 200],
      ['api/debug/v1/get_method', method, undefined, 403],
      [simulate, steps(9), 'free', 403],
      [simulate, steps(8), 'free', 200],
      [trace, { boc, limits: { transactions: 257 } }, 'free', 403],
      [trace, past, 'free', 200],
      [trace, { boc, vm: 'all' }, 'free', 200],
      [message, { boc, steps: 'all' }, 'free', 200],
      ['api/debug/v1/get_method', method, 'free', 200],
      [simulate, steps(32), 'plus', 200],
      [trace, { boc, limits: { transactions: 1024 } }, 'plus', 200],
    ]
    for (const [path, body, plan, expected] of cases) {
      const { status, body: answer } = await ask(path, body, plan)
      const shown = `${path} ${JSON.stringify(body).slice(0, 80)} ${plan}: ${JSON.stringify(answer).slice(0, 200)}`
      assert.equal(status, expected, shown)
      if (status === 403) assert.equal(answer.code, 'forbidden')
    }
    assert.match((await ask(message, { boc, steps: 'all' })).body.error, /scope debug/)
  })

  test('plan limits: runs a minute, emulation and debugger together', async () => {
    const boc = await sign([toDave()])
    // Some of the ten runs of this address are used up.
    let last: V3Answer | undefined
    for (let k = 0; k < 11; k++)
      last = await ask(k % 2 === 0 ? 'api/emulate/v1/emulateTrace' : 'api/debug/v1/message', { boc })
    assert.equal(last?.status, 429)
    assert.equal(last.body.code, 'rate_limited')
    assert.ok(Number(last.headers.get('retry-after')) >= 1)
    const { headers } = await ask('api/emulate/v1/emulateTrace', { boc }, 'plus')
    assert.equal(headers.get('ratelimit-limit'), '300')
  })

  test('address book and metadata, also of a token that the trace deploys', async () => {
    await untilIndexed(`${own.url}/api/v3`, own.network.controls.getStatus().head.seqno)
    const { jetton } = own.plan
    const stranger: Address = { workchain: 0, hash: filled(0x77) }
    const boc = await sign([
      {
        destination: jettonWalletAddress(alice.wallet.address, jetton.address),
        value: 200_000_000n,
        bounce: true,
        body: jettonTransferBody({
          queryId: 1n,
          amount: 7n,
          destination: stranger,
          responseDestination: alice.wallet.address,
          forwardAmount: 0n,
          forwardPayload: undefined,
        }),
      },
    ])
    const answer = await expectAnswer('api/emulate/v1/emulateTrace', {
      boc,
      with_actions: true,
      include_address_book: true,
      include_metadata: true,
    })
    const book = answer.address_book[raw(alice.wallet.address)]
    assert.equal(typeof book.user_friendly, 'string')
    assert.ok(raw(stranger) in answer.address_book)
    const isIndexed = (address: Address) => answer.metadata[raw(address)]?.is_indexed
    assert.equal(isIndexed(jettonWalletAddress(alice.wallet.address, jetton.address)), true)
    assert.equal(isIndexed(jettonWalletAddress(stranger, jetton.address)), false)
    const [token] = answer.metadata[raw(jettonWalletAddress(stranger, jetton.address))].token_info
    assert.deepEqual([token.type, token.extra.owner, token.extra.balance], ['jetton_wallets', raw(stranger), '7'])
  })

  test('a gas profile of the transactions of an account within a time', async () => {
    const account = raw(alice.wallet.address)
    const { transactions, gas, left_out, folded } = await expectAnswer('api/debug/v1/profile', { account, limit: 3 })
    assert.deepEqual([transactions, left_out], [3, 0])
    assert.match(folded, /^recv_external.* [0-9]+$/m)
    const none = await expectAnswer('api/debug/v1/profile', { account, end_utime: 1000 })
    assert.deepEqual([none.transactions, none.gas], [0, 0])
    const one = await expectAnswer('api/debug/v1/profile', { account, start_utime: 1000, limit: 1 })
    assert.ok(one.gas > 0 && one.gas < gas)
    const both = await ask('api/debug/v1/profile', { account, hashes: ['00'.repeat(32)] }, 'free')
    assert.equal(both.status, 400)
  })

  test('the TON dialect has opcodes as text', async () => {
    const { jetton } = own.plan
    const to = jettonWalletAddress(alice.wallet.address, jetton.address)
    const body = jettonTransferBody({
      queryId: 1n,
      amount: 1n,
      destination: dave.wallet.address,
      responseDestination: alice.wallet.address,
      forwardAmount: 0n,
      forwardPayload: undefined,
    })
    const boc = await sign([{ destination: to, value: 200_000_000n, bounce: true, body }])
    const opcodeIn = async (prefix: string): Promise<unknown> => {
      const { transactions } = await expectAnswer(`${prefix}api/emulate/v1/emulateTrace`, { boc })
      return (Object.values(transactions) as Json[]).find(({ account }) => account === raw(to)).in_msg.opcode
    }
    assert.deepEqual([await opcodeIn(''), await opcodeIn('ton/')], [0x0f8a7ea5, '0x0f8a7ea5'])
  })

  test('on_pending: a message after one that waits for its block', async () => {
    const [first, second] = [await sign([toDave()]), await sign([toDave()], 1)]
    await own.network.controls.mine(1)
    const { body } = await ask('api/v2/sendBoc', { boc: first }, 'advanced')
    assert.equal(body.ok, true, JSON.stringify(body))
    const path = 'api/emulate/v1/emulateTrace'
    const alone = await ask(path, { boc: second }, 'advanced')
    assert.deepEqual([alone.status, alone.body.exit_code], [422, 33])
    for (let tries = 0; ; tries++) {
      const after = await ask(path, { boc: second, on_pending: true }, 'advanced')
      if (after.status === 200) {
        assert.equal(Object.keys(after.body.transactions).length, 2)
        break
      }
      assert.ok(tries < 100, JSON.stringify(after.body))
      await delay(50)
    }
    const debugged = await expectAnswer('api/debug/v1/message', { boc: second, on_pending: true })
    assert.equal(debugged.steps[0].ok, true)
    const refused = await ask('api/emulate/v1/simulate', { steps: [{ advance: {} }], on_pending: true }, 'advanced')
    assert.equal(refused.status, 400)
    await own.settle()
  })
})
