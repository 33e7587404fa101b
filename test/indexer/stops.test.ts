import assert from 'node:assert/strict'
import { availableParallelism, loadavg } from 'node:os'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { haveDatabase } from '../support/database.ts'
import type { IndexProcess } from '../support/indexProcess.ts'
import { type KilledIndex, startKilledIndex } from '../support/killedIndex.ts'
import { isLong } from '../support/testLength.ts'
import { waitUntil } from '../support/waitUntil.ts'

/** On a machine with nothing else to do it is a fraction of this. */
const STOP_MS = 6000
/** No goodbye of a server that hangs is waited for. Where the processors have more to do than they can, it takes that much longer. */
const HUNG_DATABASE_MS = 3000 * Math.min(3, Math.max(1, loadavg()[0]! / availableParallelism()))

type Phase = {
  readonly name: string
  readonly maxMs?: number
  /** Only in the long form. */
  readonly onlyLong?: boolean
  /** Starts a process and brings it to where it is to be stopped. Returns what is to be done afterwards. */
  readonly reach: (run: KilledIndex) => Promise<{ readonly indexer: IndexProcess; readonly after?: () => unknown }>
}

const untilSaid = (indexer: IndexProcess, words: string): Promise<void> =>
  waitUntil(
    () => `${words}\n${indexer.lines.join('\n')}`,
    () => {
      assert.ok(indexer.isRunning, indexer.lines.join('\n'))
      return indexer.lines.some((line) => line.includes(words))
    },
  )

const work = async (run: KilledIndex): Promise<IndexProcess> => {
  const indexer = run.startIndexer()
  await run.waitForMore()
  return indexer
}

const hangFor = (ms: number) => async (run: KilledIndex) => {
  const indexer = await work(run)
  run.sendToDatabase('SIGSTOP')
  await delay(ms)
  return { indexer, after: () => run.sendToDatabase('SIGCONT') }
}

const phases: readonly Phase[] = [
  {
    name: 'while the program is loaded',
    onlyLong: true,
    reach: async (run) => {
      const indexer = run.startIndexer()
      await delay(1500)
      return { indexer }
    },
  },
  {
    name: 'while a database that is not there is waited for',
    reach: async (run) => {
      const indexer = run.startIndexer('postgres://nobody:nothing@127.0.0.1:1/none')
      await untilSaid(indexer, 'waiting for database')
      return { indexer }
    },
  },
  {
    name: 'while its own database server starts',
    reach: async (run) => {
      const indexer = run.startIndexer('')
      await untilSaid(indexer, 'liteserver in sync')
      await delay(300)
      return { indexer }
    },
  },
  {
    name: 'while it works',
    onlyLong: true,
    reach: async (run) => ({ indexer: await work(run) }),
  },
  {
    name: 'while another one leads',
    reach: async (run) => {
      const leader = await work(run)
      const indexer = run.startIndexer()
      await untilSaid(indexer, 'waiting for leadership')
      return {
        indexer,
        after: async () => {
          run.forget(leader)
          const ms = await leader.stop()
          assert.ok(ms < STOP_MS, `while it works: ${ms} ms`)
        },
      }
    },
  },
  {
    name: 'while the network does not answer',
    onlyLong: true,
    reach: async (run) => {
      const indexer = await work(run)
      run.sendToNetwork('SIGSTOP')
      await delay(1000)
      return { indexer, after: () => run.sendToNetwork('SIGCONT') }
    },
  },
  {
    name: 'while the database does not answer',
    maxMs: HUNG_DATABASE_MS,
    reach: hangFor(1000),
  },
  {
    name: 'while the database has not answered for so long that leadership is lost',
    onlyLong: true,
    maxMs: HUNG_DATABASE_MS,
    reach: hangFor(9000),
  },
]

const stopIn = async (t: TestContext, run: KilledIndex, { name, maxMs = STOP_MS, reach }: Phase): Promise<void> => {
  const { indexer, after } = await reach(run)
  run.forget(indexer)
  try {
    const ms = await indexer.stop()
    t.diagnostic(`${name}: ${ms} ms`)
    assert.ok(ms < maxMs, `${name}: ${ms} ms`)
  } finally {
    await indexer.send('SIGKILL')
    await after?.()
  }
  await run.expectNothingHeld()
}

test('whatever it waits for, one who is told to stop does so at once and leaves nothing behind', {
  timeout: 280_000,
}, async (t) => {
  if (!haveDatabase(t)) return
  if (process.platform !== 'linux') return t.skip('NOT TESTED: the processes of a server are found by /proc.')
  const run = await startKilledIndex(t, 5)
  for (const phase of phases) if (isLong || phase.onlyLong !== true) await stopIn(t, run, phase)
})
