import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { parseGlobalConfig } from '../src/node/globalConfig.ts'
import { ProvenNode } from '../src/node/ProvenNode.ts'
import { NodePool } from '../src/node/pool/NodePool.ts'
import { TrustedChain } from '../src/node/TrustedChain.ts'
import { createLogger } from '../src/observe/Logger.ts'
import { type BlockIdExt, formatBlockIdExt } from '../src/primitives/BlockId.ts'
import { childArguments, childModule } from './support/childScript.ts'
import { writeTree } from './support/writeTree.ts'

const launcher = join(import.meta.dirname, '../bin/chaincenter.js')
const logger = createLogger({ level: 'silent', format: 'json', colours: false, write: () => undefined })

type Ready = {
  readonly url: string
  readonly v2: string
  readonly v2Ton: string
  readonly liteserver: { readonly host: string; readonly port: number; readonly key: string }
  readonly globalConfig: string
  readonly accounts: readonly { readonly address: string; readonly mnemonic: string; readonly walletType: string }[]
}

const spawnDev = (t: TestContext, cwd: string, args: readonly string[]): ChildProcess => {
  const child = spawn(
    process.execPath,
    [launcher, ...args, '--no-index', '--port', '0', '--json', '--log-level', 'warn'],
    {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  t.after(() => child.kill('SIGKILL'))
  return child
}

const readLine = async (child: ChildProcess): Promise<string> => {
  const [line] = (await once(createInterface(child.stdout!), 'line')) as [string]
  return line
}

const stop = async (child: ChildProcess): Promise<number> => {
  child.kill('SIGINT')
  const [code] = await once(child, 'exit')
  return code as number
}

/** A client that believes nothing from the network's init block on. */
const openClient = async (t: TestContext, { globalConfig }: Ready) => {
  const { liteServers, zeroState, anchor } = parseGlobalConfig(readFileSync(globalConfig, 'utf8'), globalConfig)
  const pool = new NodePool(liteServers, { logger, zeroStateRootHash: zeroState.rootHash })
  await pool.start()
  t.after(() => pool.close())
  return { node: new ProvenNode(pool, new TrustedChain(pool, { mode: 'full', anchor, logger })), anchor }
}

const readBlockType = async (base: string): Promise<string> => {
  const response = await fetch(`${base}/getMasterchainInfo`)
  const { result } = (await response.json()) as { result: { last: { '@type': string } } }
  return result.last['@type']
}

const waitFor = async (node: ProvenNode, seqno: number): Promise<BlockIdExt> => {
  for (let tries = 0; tries < 100; tries++) {
    const head = await node.getHead()
    if (head.seqno >= seqno) return head
    await pause(200)
  }
  throw new Error(`Block ${seqno} did not come.`)
}

test('the command runs a network that a client proves from its init block on, and goes on with it after a stop', {
  timeout: 120_000,
}, async (t) => {
  const cwd = writeTree(t, {})
  const first = spawnDev(t, cwd, ['dev', '--block-interval', '200ms'])
  const ready = JSON.parse(await readLine(first)) as Ready
  assert.deepEqual(Object.keys(ready).sort(), ['accounts', 'globalConfig', 'liteserver', 'url', 'v2', 'v2Ton'])
  assert.equal(ready.accounts.length, 10)
  for (const { address, mnemonic, walletType } of ready.accounts) {
    assert.match(address, /^UQ[A-Za-z0-9_-]{46}$/)
    assert.equal(mnemonic.split(' ').length, 24)
    assert.ok(['v3r2', 'v4r2', 'v5r1', 'highload-v3'].includes(walletType))
  }
  const { node, anchor } = await openClient(t, ready)
  assert.equal(anchor.seqno, 1)
  const head = await waitFor(node, 5)
  const status = await fetch(`${ready.url}/dev/status`)
  assert.equal(status.status, 200)
  assert.deepEqual(await readBlockType(ready.v2), 'chain.blockIdExt')
  assert.deepEqual(await readBlockType(ready.v2Ton), 'ton.blockIdExt')
  assert.equal(await stop(first), 0)

  const second = spawnDev(t, cwd, ['start', '--mining', 'manual'])
  const again = JSON.parse(await readLine(second)) as Ready
  assert.deepEqual(again.accounts, ready.accounts)
  assert.equal(again.liteserver.key, ready.liteserver.key)
  const client = await openClient(t, again)
  assert.equal(formatBlockIdExt(client.anchor), formatBlockIdExt(anchor))
  const { bytes } = await client.node.getBlock(head)
  assert.ok(bytes.length > 500)
  const before = (await client.node.getHead()).seqno
  assert.ok(before >= head.seqno)
  const mined = await fetch(`${again.url}/dev/mine`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ blocks: 3 }),
  })
  assert.equal(mined.status, 200)
  assert.equal((await waitFor(client.node, before + 3)).seqno, before + 3)

  const third = spawnDev(t, cwd, ['dev'])
  const refused = JSON.parse(await readLine(third)) as { error: { message: string } }
  assert.match(refused.error.message, /^The data folder .* is in use by process [0-9]+ \(.*chaincenter.*\)\.$/)
  assert.equal(await stop(second), 0)
})

test('a network that is not the one asked for is refused, and given up when told so', {
  timeout: 120_000,
}, async (t) => {
  const cwd = writeTree(t, {})
  const first = spawnDev(t, cwd, ['dev', '--seed', 'one', '--start-time', '1700000000', '--mining', 'manual'])
  const ready = JSON.parse(await readLine(first)) as Ready
  // Nobody has asked for a block yet, and accounts can be read.
  const account = await fetch(`${ready.v2}/getAddressBalance?address=${ready.accounts[0]?.address}`)
  assert.equal(account.status, 200, await account.text())
  assert.equal(await stop(first), 0)

  const second = spawnDev(t, cwd, ['dev', '--shards', '4'])
  const [code] = await Promise.all([
    once(second, 'exit').then(([exit]) => exit),
    readLine(second).then((line) => {
      const { error } = JSON.parse(line) as { error: { message: string; advice: string } }
      assert.equal(error.message, 'The network in the data folder was made with --shards 1, not with --shards 4.')
      assert.match(error.advice, /--reset/)
    }),
  ])
  assert.equal(code, 2)

  const third = spawnDev(t, cwd, ['dev', '--shards', '4', '--reset', '--seed', 'two', '--mining', 'instant'])
  const other = JSON.parse(await readLine(third)) as Ready
  assert.notEqual(other.accounts[0]?.address, ready.accounts[0]?.address)
  assert.equal(await stop(third), 0)
})

test('an ephemeral network leaves nothing behind', { timeout: 60_000 }, async (t) => {
  const cwd = writeTree(t, {})
  const child = spawnDev(t, cwd, ['dev', '--ephemeral', '--demo'])
  const ready = JSON.parse(await readLine(child)) as Ready
  assert.match(readFileSync(ready.globalConfig, 'utf8'), /"init_block"/)
  assert.equal(await stop(child), 0)
  assert.throws(() => readFileSync(ready.globalConfig), /ENOENT/)
  assert.throws(() => readFileSync(join(cwd, '.chaincenter')), /ENOENT/)
})

test('a program that ends without closing its network leaves no folder behind', { timeout: 60_000 }, async (t) => {
  const folder = writeTree(t, {})
  const program = `import { startNetwork } from ${childModule('../src/cli/dev/startNetwork', import.meta.url)}
    const { globalConfig } = await startNetwork({ mining: { mode: 'manual' }, http: false })
    console.log(globalConfig.path)
    process.exit(3)`
  const child = spawn(process.execPath, [...childArguments, '--input-type=module', '-e', program], {
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [[line], [exitCode]] = await Promise.all([once(createInterface(child.stdout), 'line'), once(child, 'exit')])
  assert.equal(exitCode, 3)
  assert.ok((line as string).startsWith(folder))
  assert.equal(existsSync(line as string), false)
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('chaincenter')),
    [],
  )
})
