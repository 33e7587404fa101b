import assert from 'node:assert/strict'
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { countForWorkers } from '../../src/gateway/counters/SharedCounters.ts'
import { childArguments, childScript } from '../support/childScript.ts'

const startWorker = async (t: TestContext): Promise<Worker> => {
  const worker = cluster.fork()
  t.after(async () => {
    const ended = once(worker, 'exit')
    worker.kill('SIGKILL')
    await ended
  })
  await nextMessage(worker, 'ready')
  return worker
}

const nextMessage = async (worker: Worker, member: string): Promise<unknown> => {
  for (;;) {
    const [message] = (await once(worker, 'message')) as [Record<string, unknown>]
    if (member in message) return message[member]
  }
}

const take = async (worker: Worker, budget: string, count: number): Promise<number> => {
  const allowed = nextMessage(worker, 'allowed')
  worker.send({ budget, count })
  return (await allowed) as number
}

test('workers of one process share its budgets; each counts for itself when nobody answers', async (t) => {
  cluster.setupPrimary({
    exec: childScript(join(import.meta.dirname, '../support'), 'countingChild'),
    execArgv: [...childArguments],
  })
  const stop = countForWorkers(cluster)
  const [one, two] = [await startWorker(t), await startWorker(t)]
  const both = await Promise.all([take(one, 'a', 8), take(two, 'a', 8)])
  assert.equal(both[0]! + both[1]!, 10)
  assert.equal(await take(one, 'b', 4), 4)
  assert.deepEqual([await take(two, 'b', 8), await take(one, 'b', 8)], [6, 0])
  stop()
  assert.deepEqual(await Promise.all([take(one, 'c', 12), take(two, 'c', 12)]), [10, 10])
})
