import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { haveDatabase, openFreshDatabase } from '../support/database.ts'
import { closeSharedMachine } from '../support/testNetwork.ts'
import { getV3, type Json } from '../support/v3Client.ts'
import { askBothWays } from '../support/v3Oracle.ts'
import { startV3Network } from '../support/v3Service.ts'

after(closeSharedMachine)

test('a log of changes to poll', { timeout: 120_000 }, async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  const service = await startV3Network(t, database, { network: { demo: true, shards: 2 } })
  const { controls } = service.network
  await service.mine(8)
  const base = `${service.url}/api/v3`
  const head = (): number => controls.getStatus().head.seqno
  const ask = async (args: object): Promise<Json> => {
    const { status, body } = await getV3(base, 'changes', { ...args })
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }
  const askOther = (name: string, args: object): Promise<Json> => askBothWays(service.url, name, { ...args })

  await t.test(
    'every block comes once, in order, with the last transaction of each account and the traces that ended',
    async () => {
      const blocks: Json[] = []
      for (let since = 0; since < head(); ) {
        const { changes, next, oldest, head: last } = await ask({ since, limit: 7 })
        assert.ok(changes.length <= 7)
        assert.deepEqual([oldest, last], [1, head()])
        blocks.push(...changes)
        since = next
      }
      assert.deepEqual(
        blocks.map(({ mc_seqno }) => mc_seqno),
        Array.from({ length: head() }, (_, k) => k + 1),
      )
      for (const { mc_seqno, accounts, traces, root_hash, gen_utime } of blocks) {
        const { transactions } = await askOther('transactions', { mc_seqno, limit: 1000, sort: 'asc' })
        const last = new Map<string, Json>()
        for (const each of transactions) last.set(each.account, each)
        assert.deepEqual(
          accounts.map((each: Json) => [each.account, each.last_transaction_lt, each.last_transaction_hash]).sort(),
          [...last.values()].map(({ account, lt, hash }) => [account, lt, hash]).sort(),
        )
        const ended = await askOther('traces', { mc_seqno, limit: 1000 })
        assert.deepEqual([...traces].sort(), ended.traces.map(({ trace_id }: Json) => trace_id).sort())
        const { blocks: own } = await askOther('masterchainBlockShards', { seqno: mc_seqno, limit: 100 })
        const masterchain = own.find(({ workchain }: Json) => workchain === -1)
        assert.deepEqual([masterchain.root_hash, masterchain.gen_utime], [root_hash, gen_utime])
      }
      assert.ok(blocks.some(({ traces }) => traces.length > 0))
    },
  )

  await t.test('without since it begins at the head, and waits for the next block', async () => {
    const last = head()
    assert.deepEqual(await ask({}), { changes: [], next: last, head: last, oldest: 1 })
    const begun = performance.now()
    const waiting = Promise.all([1, 2, 3].map(() => getV3(base, 'changes', { since: last, wait: 20 })))
    await new Promise((done) => setTimeout(done, 400))
    await controls.mine(1)
    for (const { status, body } of await waiting) {
      assert.equal(status, 200)
      assert.deepEqual(
        body.changes.map(({ mc_seqno }: Json) => mc_seqno),
        [last + 1],
      )
      assert.equal(body.next, last + 1)
    }
    assert.ok(performance.now() - begun < 15_000)
    await service.catchUp()
    const short = await getV3(base, 'changes', { since: head(), wait: 1 })
    assert.deepEqual(short.body.changes, [])
  })

  await t.test('a block that waits for classification, and those after it, come later', async () => {
    const last = head()
    const put = (text: string) => database.transaction((client) => client.query(text, [last - 1]))
    // Queued for ever, as it were: the classifier finds it at once.
    await put('INSERT INTO unclassified_blocks VALUES ($1)')
    await waitFor(async () => (await ask({ since: last - 3 })).next === last)
  })

  await t.test('what is gone, ahead or malformed is refused', async () => {
    const refused = async (since: number): Promise<[number, string]> => {
      const { status, body } = await getV3(base, 'changes', { since })
      return [status, body.error]
    }
    assert.deepEqual(await refused(head() + 5), [422, 'since is ahead of the chain'])
    assert.deepEqual(await refused(-5), [410, 'since is older than what is kept: masterchain block 1'])
    for (const args of [{ limit: 101 }, { wait: 26 }, { since: 'x' }]) {
      assert.equal((await getV3(base, 'changes', args)).status, 422, JSON.stringify(args))
    }
  })
})

const waitFor = async (isSo: () => Promise<boolean>): Promise<void> => {
  for (let tries = 0; !(await isSo()); tries++) {
    assert.ok(tries < 200)
    await new Promise((done) => setTimeout(done, 50))
  }
}
