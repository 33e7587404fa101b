import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { signTransfer } from '../../src/devnet/wallets/signTransfer.ts'
import { toBase64 } from '../../src/primitives/base64.ts'
import type { StreamEvent } from '../../src/streaming/events.ts'
import { MemoryJournal } from '../../src/streaming/journal/MemoryJournal.ts'
import { freshDatabase, haveDatabase } from '../support/database.ts'
import { silentLogger } from '../support/databaseServer.ts'
import { openOwnParts } from '../support/openOwnPending.ts'
import { type PendingNetwork, startPendingNetwork } from '../support/pendingNetwork.ts'
import { haveRedis, startRedis } from '../support/redisServer.ts'
import { waitUntil } from '../support/waitUntil.ts'

const GRAM = 1_000_000_000n

const order = async (network: PendingNetwork, name: string, value: bigint, validFor = 60): Promise<Cell> => {
  const find = (each: string) => network.plan.accounts.find((account) => account.name === each)!
  const { wallet, key } = find(name)
  const messages = [{ destination: find('judy').wallet.address, value, bounce: false }]
  const validUntil = network.network.controls.getStatus().utime + validFor
  return signTransfer(wallet, key, { seqno: await network.findSeqno(find(name)), validUntil, messages })
}

/** Events by trace: their kinds, and how often. */
const followJournal = (listen: ConstructorParameters<typeof MemoryJournal>[0]['listen']) => {
  const journal = new MemoryJournal({ listen, findHead: () => ({ seqno: 5, utime: 1 }), logger: silentLogger })
  const seen: StreamEvent[] = []
  const leave = journal.follow((event) => seen.push(event))
  const of = (normalHash: string): StreamEvent[] =>
    seen.filter((event) => {
      const hash =
        'trace' in event ? event.trace.externalHashNorm : 'reason' in event ? event.externalHashNorm : undefined
      return hash !== undefined && toBase64(hash) === normalHash
    })
  const close = (): void => {
    leave()
    journal.close()
  }
  return { journal, seen, of, kinds: (hash: string) => of(hash).map(({ kind }) => kind), close }
}

test('pending traces are events, until they are final, replaced, rejected or given up', {
  timeout: 180_000,
}, async (t) => {
  if (!haveDatabase(t)) return
  const databaseUrl = await freshDatabase(t)
  const network = await startPendingNetwork(t, databaseUrl)
  const { controls } = network.network
  const own = await openOwnParts(t, network, databaseUrl)
  const pending = own.openPending()
  const { of, kinds, journal, close } = followJournal((listener) => pending.changes.listen(listener, { others: true }))
  const send = async (message: Cell): Promise<string> => {
    await network.send(message)
    pending.onSent(message)
    return network.sent.at(-1)!.normalHash
  }

  await t.test('pending, then final', async () => {
    const hash = await send(await order(network, 'bob', GRAM))
    await waitUntil('it is emulated', () => kinds(hash).includes('tr'))
    assert.deepEqual(kinds(hash), ['tx', 'ac', 'tr'])
    for (const event of of(hash)) {
      assert.equal(event.finality, 'pending')
      assert.ok('trace' in event && event.trace.transactions.length === 2)
    }
    await controls.mine(6)
    await waitUntil('it is final', async () => (await network.ask('traces', { msg_hash: hash })).traces.length === 1)
    assert.ok(!kinds(hash).includes('invalidated'))
  })

  await t.test('pending, then replaced by another message of the wallet', async () => {
    await controls.disturb({ kind: 'delay', blocks: 30 })
    const late = await send(await order(network, 'alice', GRAM))
    await waitUntil('the first is emulated', () => kinds(late).includes('tr'))
    const quick = await send(await order(network, 'alice', 2n * GRAM))
    await waitUntil('the second is emulated', () => kinds(quick).includes('tr'))
    await controls.mine(4)
    await waitUntil('the first is invalidated', () => kinds(late).includes('invalidated'))
    const [expired, invalidated] = of(late).slice(-2)
    assert.ok(expired?.kind === 'expired' && expired.reason === 'replaced' && (expired.exitCode ?? 0) > 0)
    assert.ok(invalidated?.kind === 'invalidated')
    assert.ok(!kinds(quick).includes('invalidated'))
    // Whoever resumes learns that it is void, and nothing of it.
    const again = journal.since(0)!.filter((event) => of(late).includes(event))
    assert.deepEqual(again, [expired, invalidated])
  })

  await t.test('pending, then rejected: it is no longer valid', async () => {
    await controls.disturb({ kind: 'lose' })
    const hash = await send(await order(network, 'carol', GRAM, 3))
    await waitUntil('it is emulated', () => kinds(hash).includes('tr'))
    await waitUntil('it is invalidated', () => kinds(hash).includes('invalidated'))
    const [last] = of(hash).slice(-1)
    assert.ok(last?.kind === 'invalidated' && last.reason === 'rejected' && (last.exitCode ?? 0) > 0)
  })

  await t.test('pending, then given up: no block has it', async () => {
    const short = own.openShort(1500)
    const { of: ofShort, kinds: kindsOf, close: leave } = followJournal((listener) => short.changes.listen(listener))
    await controls.disturb({ kind: 'lose' })
    const message = await order(network, 'dave', GRAM, 300)
    await network.send(message)
    const hash = network.sent.at(-1)!.normalHash
    short.onSent(message)
    await waitUntil('it is invalidated', () => kindsOf(hash).includes('invalidated'))
    const [last] = ofShort(hash).slice(-1)
    assert.ok(last?.kind === 'invalidated' && last.reason === 'lifetime' && last.exitCode === undefined)
    // It comes to life again.
    short.onSent(message)
    await waitUntil('it is emulated again', () => kindsOf(hash).at(-1) === 'tr')
    leave()
  })
  close()
  assert.deepEqual(own.logLines, [])
})

test('pending traces of other processes are events here', { timeout: 180_000 }, async (t) => {
  if (!haveDatabase(t) || !haveRedis(t)) return
  const redis = await startRedis(t)
  const databaseUrl = await freshDatabase(t)
  const network = await startPendingNetwork(t, databaseUrl, { index: { databaseUrl, redisUrl: redis.url } })
  const { controls } = network.network
  const own = await openOwnParts(t, network, databaseUrl)
  const pending = own.openPending(redis.url)
  const { of, kinds, close } = followJournal((listener) => pending.changes.listen(listener, { others: true }))
  await waitUntil('it is subscribed', async () => {
    await network.send(await order(network, 'bob', GRAM))
    await delay(500)
    await controls.mine(3)
    return of(network.sent.at(-1)!.normalHash).length > 0
  })
  await controls.disturb({ kind: 'delay', blocks: 30 })
  await network.send(await order(network, 'alice', GRAM))
  const late = network.sent.at(-1)!.normalHash
  await waitUntil('the first is emulated there', () => kinds(late).includes('tr'))
  await network.send(await order(network, 'alice', 2n * GRAM))
  const quick = network.sent.at(-1)!.normalHash
  await waitUntil('the second is emulated there', () => kinds(quick).includes('tr'))
  await controls.mine(4)
  await waitUntil('the first is invalidated', () => kinds(late).includes('invalidated'))
  const [last] = of(late).slice(-1)
  assert.ok(last?.kind === 'invalidated' && last.reason === 'replaced')
  close()
})
