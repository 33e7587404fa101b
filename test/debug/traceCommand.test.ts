import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { startNetwork } from '../../src/cli/dev/startNetwork.ts'
import { stepThrough } from '../../src/cli/trace/stepThrough.ts'
import { runCommandLine } from '../support/runCommandLine.ts'
import { writeTree } from '../support/writeTree.ts'

test('chaincenter trace', async (t) => {
  const network = await startNetwork({ mining: { mode: 'manual' }, startTime: 1_700_000_000 })
  t.after(() => network.close())
  const { url = '', accounts, controls, globalConfig } = network
  // biome-ignore lint/suspicious/noExplicitAny: an answer that is looked into
  const get = async (path: string): Promise<any> => (await fetch(`${url}/api/v2/${path}`)).json()
  const [alice] = accounts
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ address: alice!.address, amount: '5000000000' })
  await fetch(`${url}/dev/faucet`, { method: 'POST', headers, body })
  await controls.mine(3)
  const last = async (address: string) => {
    const { result } = await get(`getTransactions?limit=1&address=${encodeURIComponent(address)}`)
    return result[0]
  }
  const faucet = (await last(alice!.address)).in_msg.source
  const target = `${faucet}:${(await last(faucet)).transaction_id.lt}`
  const workingDir = writeTree(t, {})
  const trace = (...args: string[]) =>
    runCommandLine(t, ['trace', ...args, '--global-config', globalConfig.path, '--log-level', 'silent'], { workingDir })

  const report = await trace(target, '--save', 'run.json')
  assert.equal(report.exitCode, 0, report.err)
  assert.match(report.out, /verdict {5}exact/)
  assert.match(report.out, /0 send, to 0:.*5 coins, mode 3, queued at step \d+/)

  const steps = await trace(target, '--steps', '0-3', '--gas', '--diff', '--gas-profile', 'run.cpuprofile')
  assert.match(steps.out, /0 \S+:0 +SETCP 0/)
  assert.match(steps.out, /recv_external/)
  assert.match(steps.out, /balance +\d+ → \d+/)
  const profile = JSON.parse(readFileSync(join(workingDir, 'run.cpuprofile'), 'utf8'))
  const value = JSON.parse((await trace(target, '--steps', 'all', '--json')).out)
  assert.equal(profile.endTime, value.vm.gas.used)
  assert.equal(value.verdict.replay, 'exact')
  assert.equal(value.vm.steps.length, value.vm.steps_total)

  await network.close()
  const offline = await runCommandLine(t, ['trace', 'run.json'], { workingDir })
  assert.equal(offline.exitCode, 0, offline.err)
  assert.match(offline.out, /verdict {5}exact/)
  const changed = await runCommandLine(t, ['trace', 'run.json', '--set', 'balance=1'], { workingDir })
  assert.match(changed.out, /On chain\n {2}verdict {5}exact[\s\S]*changed: run with other inputs/)
  assert.equal((await runCommandLine(t, ['trace', 'nonsense'], { workingDir })).exitCode, 2)

  const gas = (...args: string[]) => runCommandLine(t, ['gas', ...args], { workingDir })
  assert.equal((await gas('snapshot', 'gas.json', 'run.json')).exitCode, 0)
  const checked = await gas('check', 'gas.json', 'run.json', '--tolerance', '1%')
  assert.deepEqual([checked.exitCode, /1 passed, 0 failed/.test(checked.out)], [0, true])

  const input = new PassThrough()
  const output = new PassThrough()
  input.end('n\ng 5\nq\n')
  await stepThrough(value.vm, { input, output })
  assert.match(String(output.read()), />\s+5 [\s\S]*stack \(\d+ values\)/)
})
