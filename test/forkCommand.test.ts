import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { startNetwork } from '../src/cli/dev/startNetwork.ts'
import { formatRawAddress, parseAddress } from '../src/primitives/Address.ts'
import { runCommandLine } from './support/runCommandLine.ts'
import { tempFolder } from './support/tempFolder.ts'

const launcher = join(import.meta.dirname, '../bin/chaincenter.js')

type Ready = {
  readonly v2: string
  readonly url: string
  readonly globalConfig: string
  readonly accounts: readonly { readonly address: string }[]
}

const startOther = async (t: TestContext, args: readonly string[]): Promise<Ready> => {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const child = spawn(process.execPath, [launcher, 'dev', '--no-index', '--port', '0', '--json', ...args], {
    cwd: tempFolder(t),
    stdio: ['ignore', 'pipe', 'inherit'],
    env,
  })
  t.after(async () => {
    const ended = once(child, 'exit')
    if (child.kill('SIGTERM')) await ended
  })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  return JSON.parse(line) as Ready
}

const get = async (base: string, path: string): Promise<Record<string, unknown>> => {
  const response = await fetch(`${base}/${path}`)
  const { ok, result, error } = (await response.json()) as {
    ok: boolean
    result: Record<string, unknown>
    error: string
  }
  assert.ok(ok, error)
  return result
}

const post = async (base: string, path: string, body: unknown): Promise<void> => {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${base}/dev/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  assert.equal(response.status, 200, await response.text())
}

const runMethod = async (base: string, address: string, method: string) => {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ address, method, stack: [] })
  const response = await fetch(`${base}/runGetMethod`, { method: 'POST', headers, body })
  const { result } = (await response.json()) as { result: { exit_code: number; stack: unknown; gas_used: number } }
  return { exitCode: result.exit_code, stack: result.stack, gas: result.gas_used }
}

/** What an account is, without the block that says so. */
const stateOf = ({ balance, state, code, data, last_transaction_id: last }: Record<string, unknown>) => ({
  balance,
  state,
  code,
  data,
  last,
})

test('a network of another process is forked: v2 serves its accounts, and the command lists them', {
  timeout: 120_000,
}, async (t) => {
  const other = await startOther(t, ['--ephemeral', '--mining', 'instant', '--log-level', 'warn'])
  const stranger = formatRawAddress({ workchain: 0, hash: new Uint8Array(32).fill(7) })
  await post(other.url, 'faucet', { address: stranger, amount: '5000000000' })
  const alice = other.accounts[0]!.address
  let there = await get(other.v2, `getAddressInformation?address=${stranger}`)
  for (let tries = 0; there['balance'] === '0' && tries < 50; tries++) {
    there = await get(other.v2, `getAddressInformation?address=${stranger}`)
  }

  const folder = tempFolder(t)
  const network = await startNetwork({ folder, fork: other.globalConfig, mining: { mode: 'instant' }, http: {} })
  t.after(() => network.close())
  const v2 = `${network.url}/api/v2`
  assert.deepEqual(stateOf(await get(v2, `getAddressInformation?address=${stranger}`)), stateOf(there))
  assert.deepEqual(
    stateOf(await get(v2, `getAddressInformation?address=${alice}`)),
    stateOf(await get(other.v2, `getAddressInformation?address=${alice}`)),
  )
  // Reading alice imported her, so her wallet can be asked on both.
  const methods = await Promise.all([v2, other.v2].map((base) => runMethod(base, alice, 'seqno')))
  assert.deepEqual(methods[0], methods[1])
  const configs = await Promise.all([v2, other.v2].map((base) => get(base, 'getConfigParam?param=21')))
  assert.deepEqual(configs[0]!['config'], configs[1]!['config'])
  assert.equal(
    `${await network.getBalance(other.accounts[1]!.address)}`,
    (await get(other.v2, `getAddressInformation?address=${other.accounts[1]!.address}`))['balance'],
  )
  await network.controls.faucet(parseAddress(stranger), 1_000_000_000n)
  await network.controls.mine(1)
  const { balance } = await get(v2, `getAddressInformation?address=${stranger}`)
  assert.ok(BigInt(balance as string) > 5_900_000_000n)

  const { exitCode, out, err } = await runCommandLine(t, ['fork', 'status', '--json', '--data-dir', folder])
  assert.equal(exitCode, 0, err)
  const status = JSON.parse(out) as {
    fork: string
    accounts: { address: string; status: string; importedAt?: number }[]
  }
  assert.equal(status.fork, other.globalConfig)
  const listed = status.accounts.find(({ address }) => address === stranger)
  assert.equal(listed?.status, 'uninit')
  assert.ok((listed?.importedAt ?? 0) > 0)
  const text = await runCommandLine(t, ['fork', 'status', '--data-dir', folder])
  assert.match(text.out, /^A fork of .* at block \(-1,8000000000000000,\d+\)/)
  const none = await runCommandLine(t, ['fork', 'status', '--data-dir', tempFolder(t)])
  assert.match(none.err, /There is no fork in/)
})
