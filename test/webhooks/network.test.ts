import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { startNetwork } from '../../src/cli/dev/startNetwork.ts'
import { defaultSchedule } from '../../src/webhooks/retries.ts'
import { repository } from '../support/childScript.ts'
import { freshDatabase, haveDatabase } from '../support/database.ts'
import { runCommandLine } from '../support/runCommandLine.ts'
import { tempFolder } from '../support/tempFolder.ts'
import { untilIndexed } from '../support/untilIndexed.ts'
import { waitUntil } from '../support/waitUntil.ts'
import { startReceiver } from '../support/webhooks.ts'

const run = promisify(execFile)

const page = readFileSync(join(repository, 'docs/webhooks.md'), 'utf8')

/** Code blocks of a language on the page. */
const blocksOf = (language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, code]) => code!)

const findFreePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

const open = async (t: TestContext) => {
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
  return { network, url, port: Number(new URL(url).port) }
}

test('the samples of the page work', { timeout: 120_000 }, async (t) => {
  if (!haveDatabase(t)) return
  const { network, url, port } = await open(t)
  const hookPort = await findFreePort()
  const [{ address } = { address: '' }] = network.accounts
  const sample = (text: string): string =>
    text
      .replaceAll('127.0.0.1:8081', `127.0.0.1:${port}`)
      .replaceAll('127.0.0.1:3000', `127.0.0.1:${hookPort}`)
      .replaceAll(`0:${'0'.repeat(64)}`, address)
  const [register, sendTest] = blocksOf('sh') as [string, string]
  const sh = async (text: string) => JSON.parse((await run('sh', ['-c', sample(text)])).stdout)
  const made = await sh(register)
  assert.match(made.id, /^we_/)
  assert.equal(made.test.ok, false, 'nobody listens yet')
  const file = join(tempFolder(t), 'receiver.mjs')
  writeFileSync(file, blocksOf('js')[0]!)
  const receiver = spawn(process.execPath, [file], {
    env: { WEBHOOK_SECRET: made.secret, PORT: String(hookPort) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => receiver.kill())
  let printed = ''
  receiver.stdout.on('data', (chunk) => {
    printed += chunk
  })
  const test = sendTest.replace('ENDPOINT', made.id)
  await waitUntil('the receiver accepts the test', async () => (await sh(test)).ok === true)
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
})

test('the command line registers, tests, lists, redelivers and deletes', { timeout: 120_000 }, async (t) => {
  if (!haveDatabase(t)) return
  const { network, port } = await open(t)
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
})
