import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { closeSharedMachine, findAccountNow, startTestNetwork } from '../../../test/support/testNetwork.ts'
import { createLogger } from '../../observe/Logger.ts'
import { runDemo } from './runDemo.ts'

after(closeSharedMachine)

test('the demonstration deploys and sends without signing for an account of the developer', async (t) => {
  const network = await startTestNetwork(t)
  const lines: string[] = []
  const logger = createLogger({
    level: 'debug',
    format: 'json',
    colours: false,
    write: (line) => void lines.push(line),
  })
  const controller = new AbortController()
  const before = network.accounts.map(({ wallet }) => findAccountNow(network, wallet.address)!)
  const demo = runDemo(network, { logger, signal: controller.signal, pauseMs: 1 })
  const countSteps = (): number => lines.filter((line) => line.includes('"step"')).length
  for (let blocks = 0; countSteps() < 12; blocks++) {
    assert.ok(blocks < 400, `after ${blocks} blocks: ${lines.join('\n')}`)
    await network.controls.mine(1)
    await pause(5)
  }
  controller.abort()
  await demo
  assert.deepEqual(
    lines.filter((line) => /"level":"(warn|error)"/.test(line)),
    [],
  )
  for (const [at, { name, wallet }] of network.accounts.entries()) {
    const { state, balance, lastTransLt } = findAccountNow(network, wallet.address)!
    const old = before[at]!
    assert.ok(state.kind === 'active' && old.state.kind === 'active')
    assert.deepEqual(state.init.data?.hash(), old.state.init.data?.hash(), name)
    assert.deepEqual([balance.grams, lastTransLt], [old.balance.grams, old.lastTransLt], name)
  }
})
