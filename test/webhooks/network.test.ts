import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { type RunningNetwork, startNetwork } from '../../src/cli/dev/startNetwork.ts'
import { defaultSchedule } from '../../src/webhooks/retries.ts'
import { freshDatabase, haveDatabase } from '../support/database.ts'
import { haveCurl, piecesIn, readPieces } from '../support/docPieces.ts'
import { runCommandLine } from '../support/runCommandLine.ts'
import { tempFolder } from '../support/tempFolder.ts'
import { untilIndexed } from '../support/untilIndexed.ts'
import { waitUntil } from '../support/waitUntil.ts'
import { startReceiver } from '../support/webhooks.ts'

const run = promisify(execFile)

const findFreePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

type Stage = { readonly network: RunningNetwork; readonly url: string; readonly port: number }

test('webhooks of an embedded network', { timeout: 180_000 }, async (t) => {
  if (!haveDatabase(t)) return
  const settings = {
    webhookLimits: [],
    webhookSchedule: defaultSchedule,
    webhookAllow: undefined,
    publicUrl: undefined,
    allowedHosts: [],
    host: '127.0.0.1',
    port: 0,
    trustedProxies: [],
    streamPlans: [],
  }
  const network = await startNetwork({
    mining: { mode: 'instant' },
    index: { databaseUrl: await freshDatabase(t) },
    http: { webhooks: { settings, secret: { given: undefined, folder: undefined } } },
  })
  t.after(() => network.close())
  const url = network.url!
  await untilIndexed(`${url}/api/v3`, 1)
  const stage = { network, url, port: Number(new URL(url).port) }
  await t.test('the pieces of docs/webhooks.md', (own) => runWebhookPieces(own, stage))
  await t.test('the command line registers, tests, lists, redelivers and deletes', (own) => useCommand(own, stage))
})

const runWebhookPieces = async (t: TestContext, { network, url }: Stage): Promise<void> => {
  if (!haveCurl(t)) return
  const hookPort = await findFreePort()
  const [{ address } = { address: '' }] = network.accounts
  const pieces = readPieces('docs/webhooks.md', {
    'http://127.0.0.1:8081': url,
    '127.0.0.1:3000': `127.0.0.1:${hookPort}`,
    [`0:${'0'.repeat(64)}`]: address,
  })
  const [register, sendTest, ...others] = piecesIn(pieces, 'sh')
  assert.deepEqual(others, [])
  const sh = async (text: string) => JSON.parse((await run('sh', ['-c', text])).stdout)
  const made = await sh(register!)
  assert.match(made.id, /^we_/)
  assert.equal(made.test.ok, false, 'nobody listens yet')
  const file = join(tempFolder(t), 'receiver.mjs')
  writeFileSync(file, piecesIn(pieces, 'js')[0]!)
  const receiver = spawn(process.execPath, [file], {
    env: { WEBHOOK_SECRET: made.secret, PORT: String(hookPort) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => receiver.kill())
  let printed = ''
  receiver.stdout.on('data', (chunk) => {
    printed += chunk
  })
  const shown = JSON.parse(piecesIn(pieces, 'json')[0]!)
  let tested = made.test
  await waitUntil('the receiver accepts the test', async () => {
    tested = await sh(sendTest!.replace('ENDPOINT', made.id))
    return tested.ok
  })
  assert.deepEqual({ ...tested, duration_ms: shown.duration_ms }, shown)
  assert.match(printed, /^test test-[0-9a-f]+$/m)
  await network.client.dev.faucet({ address, amount: '1000000000' })
  await waitUntil('the transaction came', () => /^transactions f-/m.test(printed))
  const wrong = await fetch(`http://127.0.0.1:${hookPort}/hook`, { method: 'POST', body: '{}' })
  assert.equal(wrong.status, 401)
  const self = await fetch(`${url}/api/webhooks/v1/endpoints`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: `${url}/api/v2/sendBoc`, subscription: made.subscription }),
  })
  assert.equal(self.status, 400, 'the service is not called by its own webhooks')
  await fetch(`${url}/api/webhooks/v1/endpoints/${made.id}`, { method: 'DELETE' })
}

const useCommand = async (t: TestContext, { network, port }: Stage): Promise<void> => {
  const hook = await startReceiver(t)
  const [{ address } = { address: '' }] = network.accounts
  const cli = async (...words: string[]) => {
    const { exitCode, out, err } = await runCommandLine(t, ['webhooks', ...words, '--port', String(port), '--json'])
    assert.equal(exitCode, 0, err)
    return JSON.parse(out)
  }
  const target = `http://localhost:${hook.port}/`
  const made = await cli('add', target, 'types=transactions,account_state_change', `addresses=${address}`, 'thin=true')
  assert.equal(made.test.ok, true)
  assert.deepEqual(made.subscription, { types: ['transactions', 'account_state_change'], addresses: [address] })
  assert.equal((await cli('test', made.id)).status, 200)
  await network.client.dev.faucet({ address, amount: '1000000000' })
  await waitUntil('both events came', () => hook.received.length >= 4)
  const key = Buffer.from(made.secret.slice('whsec_'.length), 'base64')
  for (const { headers, text } of hook.received) {
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`
    assert.equal(headers['webhook-signature'], `v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
  }
  const { body } = hook.received.at(-1)!
  const shown = JSON.parse(piecesIn(readPieces('docs/webhooks.md'), 'json')[1]!)
  assert.deepEqual(Object.keys(body).sort(), Object.keys(shown).sort(), 'the page shows the members of a request')
  assert.equal(body.data['url'], `/api/streaming/v2/events/${body.id}`)
  const linked = await fetch(`http://127.0.0.1:${port}${String(body.data['url'])}`)
  assert.equal(linked.status, 200, 'the link leads to the event')
  await waitUntil('all is stored', async () => {
    const { deliveries } = await cli('deliveries', made.id, 'state=delivered')
    return deliveries.length >= 2
  })
  const { deliveries } = await cli('deliveries', made.id)
  const before = hook.received.length
  await cli('redeliver', deliveries[0].id)
  await waitUntil('it came again', () => hook.received.length > before)
  assert.equal(hook.received.at(-1)?.headers['webhook-id'], deliveries[0].event_id)
  assert.deepEqual(await cli('redeliver', made.id), { redelivered: 0 })
  const { endpoints } = await cli('list')
  assert.deepEqual(
    endpoints.map((each: { id: string; state: string }) => [each.id, each.state]),
    [[made.id, 'active']],
  )
  await cli('remove', made.id)
  assert.deepEqual(await cli('list'), { endpoints: [] })
  const refused = await runCommandLine(t, ['webhooks', 'test', made.id, '--port', String(port)])
  assert.equal(refused.exitCode, 1)
  assert.match(refused.err, /status 404: There is no such endpoint/)
}
