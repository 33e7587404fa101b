import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { fetchGlobalConfig } from '../src/cli/compose.ts'
import { startNetwork } from '../src/cli/dev/startNetwork.ts'
import { GlobalConfigError } from '../src/node/globalConfig.ts'
import { createLogger } from '../src/observe/Logger.ts'
import { haveDatabase } from './support/database.ts'
import { runCommandLine } from './support/runCommandLine.ts'
import { tempFolder } from './support/tempFolder.ts'
import { untilIndexed } from './support/untilIndexed.ts'

const launcher = join(import.meta.dirname, '../bin/chaincenter.js')

const startStill = async (t: TestContext) => {
  const network = await startNetwork({ mining: { mode: 'manual' } })
  t.after(() => network.close())
  return network
}

test('the service serves the network of a global configuration', { timeout: 120_000 }, async (t) => {
  if (!haveDatabase(t)) return
  const network = await startStill(t)
  await network.controls.mine(1)
  const args = ['start', '--global-config', network.globalConfig.path, '--dialect', 'ton', '--port', '0', '--json']
  const limits = ['--anonymous-v2', '50', '--anonymous-v3', '100']
  const child = spawn(process.execPath, [launcher, ...args, '--log-level', 'warn', ...limits], {
    cwd: tempFolder(t),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const { url, v2, v2Ton, v3, v3Ton } = JSON.parse(line) as { readonly [name: string]: string }
  assert.deepEqual([v2, v2Ton], [`${url}/api/v2`, `${url}/ton/api/v2`])
  assert.deepEqual([v3, v3Ton], [`${url}/api/v3`, `${url}/ton/api/v3`])
  await untilIndexed(v3!, 3)
  for (const base of [v2, v2Ton]) {
    const response = await fetch(`${base}/getMasterchainInfo`)
    // Limits are on for whoever is not told otherwise.
    assert.equal(response.headers.get('ratelimit-limit'), '50')
    const { result } = (await response.json()) as { result: { last: { '@type': string; seqno: number } } }
    assert.deepEqual([result.last['@type'], result.last.seqno], ['ton.blockIdExt', 3])
  }
  assert.equal((await fetch(`${url}/dev/status`)).status, 404)
  child.kill('SIGINT')
  const [code] = await once(child, 'exit')
  assert.equal(code, 0)
})

test('told to stop, an embedded network that is being indexed ends without a complaint', {
  timeout: 120_000,
}, async (t) => {
  if (!haveDatabase(t)) return
  const args = ['start', '--port', '0', '--json', '--log-level', 'warn', '--block-interval', '200ms']
  const child = spawn(process.execPath, [launcher, ...args], { cwd: tempFolder(t), stdio: ['ignore', 'pipe', 'pipe'] })
  t.after(() => child.kill('SIGKILL'))
  const said = child.stderr.toArray()
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  await untilIndexed((JSON.parse(line) as { readonly v3: string }).v3, 10)
  const exit = once(child, 'exit')
  child.kill('SIGINT')
  assert.deepEqual(await exit, [0, null])
  assert.equal((await said).join(''), '')
})

test('a global configuration of another network is refused', async (t) => {
  const network = await startStill(t)
  const { path } = network.globalConfig
  const args = ['start', '--network', 'main', '--global-config', path, '--port', '0']
  const { exitCode, err } = await runCommandLine(t, args)
  assert.notEqual(exitCode, 0)
  assert.match(err, /does not belong to the network main/)
})

test('the published configuration is fetched, and kept for when it cannot be', async (t) => {
  const network = await startStill(t)
  const lines: string[] = []
  const write = (text: string): void => void lines.push(text)
  const logger = createLogger({ level: 'warn', format: 'json', colours: false, write })
  const text = readFileSync(network.globalConfig.path)
  let status = 200
  const server = createServer((_request, response) => {
    response.writeHead(status)
    response.end(text)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const path = join(tempFolder(t), 'deep', 'main.config.json')
  status = 500
  await assert.rejects(fetchGlobalConfig(url, path, logger), GlobalConfigError)
  status = 200
  const fetched = await fetchGlobalConfig(url, path, logger)
  assert.equal(fetched.liteServers[0]?.port, network.liteserver.port)
  status = 500
  assert.deepEqual(await fetchGlobalConfig(url, path, logger), fetched)
  assert.equal(lines.length, 1)
})
