import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { parseGlobalConfig } from '../src/node/globalConfig.ts'
import { ProvenNode } from '../src/node/ProvenNode.ts'
import { NodePool } from '../src/node/pool/NodePool.ts'
import { TrustedChain } from '../src/node/TrustedChain.ts'
import { createLogger } from '../src/observe/Logger.ts'
import { fixturePath } from './support/fixtures.ts'
import { writeTree } from './support/writeTree.ts'

const launcher = join(import.meta.dirname, '../bin/chaincenter.js')
const logger = createLogger({ level: 'silent', format: 'json', colours: false, write: () => undefined })

const start = (cwd: string, folders: readonly string[]) =>
  spawn(process.execPath, [launcher, 'replay', ...folders, '--json', '--log-level', 'warn'], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  })

test('a recorded chain becomes a liteserver that a client in full proof mode accepts, until Ctrl-C', {
  timeout: 120_000,
}, async (t) => {
  const cwd = writeTree(t, {})
  const child = start(cwd, [fixturePath('localnet')])
  t.after(() => child.kill('SIGKILL'))
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const { liteserver, globalConfig, blocks, masterchainSeqno } = JSON.parse(line)
  assert.equal(blocks, 1789)
  assert.equal(masterchainSeqno, 470)
  const { liteServers, zeroState, anchor } = parseGlobalConfig(readFileSync(globalConfig, 'utf8'), globalConfig)
  assert.equal(liteServers[0]?.port, liteserver.port)
  const pool = new NodePool(liteServers, { logger, zeroStateRootHash: zeroState.rootHash })
  await pool.start()
  const node = new ProvenNode(pool, new TrustedChain(pool, { mode: 'full', anchor, logger }))
  const head = await node.getHead()
  assert.equal(head.seqno, 470)
  const { shards } = await node.getShards(head)
  assert.equal(shards.length, 2)
  const { bytes } = await node.getBlock(shards[0]!.id)
  assert.ok(bytes.length > 500)
  await assert.rejects(node.send(Uint8Array.of(1)), /recording/)
  await pool.close()
  child.kill('SIGINT')
  const [code] = await once(child, 'exit')
  assert.equal(code, 0)
})

test('a folder without a chain is refused in one sentence', { timeout: 60_000 }, async (t) => {
  const cwd = writeTree(t, { 'empty/readme.txt': 'nothing' })
  for (const [folder, message] of [
    ['empty', /No first state of a chain is in .*empty/],
    ['nowhere', /The folder .*nowhere cannot be read: ENOENT/],
  ] as const) {
    const child = start(cwd, [folder])
    const chunks: string[] = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => void chunks.push(String(chunk)))
    const [code] = await once(child, 'close')
    assert.equal(code, 1)
    assert.match(chunks.join(''), message)
  }
})
