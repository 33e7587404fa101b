import assert from 'node:assert/strict'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type RunningNetwork, startNetwork } from '../../src/cli/dev/startNetwork.ts'
import { networkFolder } from '../../src/cli/start/prepareNetwork.ts'
import { createLogger } from '../../src/observe/Logger.ts'
import { freshDatabase, haveDatabase } from '../support/database.ts'
import { runCommandLine } from '../support/runCommandLine.ts'
import { tempFolder } from '../support/tempFolder.ts'
import { untilIndexed } from '../support/untilIndexed.ts'

type Ready = { readonly ready: boolean; readonly reasons: readonly string[] }

const open = async (
  t: TestContext,
  folder: string,
  databaseUrl: string,
  lines: string[] = [],
): Promise<RunningNetwork> => {
  const logger = createLogger({ level: 'error', format: 'json', colours: false, write: (line) => lines.push(line) })
  const network = await startNetwork({ folder, mining: { mode: 'manual' }, http: {}, index: { databaseUrl }, logger })
  t.after(() => network.close())
  await network.indexed
  return network
}

const readReady = async ({ url }: RunningNetwork): Promise<Ready> =>
  (await (await fetch(`${url}/ready`)).json()) as Ready

const untilReady = async (network: RunningNetwork, isMeant: (ready: Ready) => boolean): Promise<Ready> => {
  const end = Date.now() + 60_000
  for (;;) {
    const ready = await readReady(network)
    if (isMeant(ready) || Date.now() > end) return ready
    await delay(200)
  }
}

/** Mines up to a block. */
const mineTo = async ({ controls }: RunningNetwork, seqno: number): Promise<void> => {
  await controls.mine(seqno - controls.getStatus().head.seqno)
}

test('an index that is ahead of its chain is named with the command that mends it, and goes on after it', {
  timeout: 240_000,
}, async (t) => {
  if (!haveDatabase(t)) return
  const databaseUrl = await freshDatabase(t)
  const folder = tempFolder(t)
  const chain = networkFolder(folder)
  const backup = join(tempFolder(t), 'backup')

  const first = await open(t, folder, databaseUrl)
  await mineTo(first, 6)
  await untilIndexed(`${first.url}/api/v3`, 6)
  await first.close()
  cpSync(chain, backup, { recursive: true })
  const second = await open(t, folder, databaseUrl)
  await mineTo(second, 20)
  await untilIndexed(`${second.url}/api/v3`, 20)
  assert.deepEqual(await untilReady(second, ({ ready }) => ready), {
    ...(await readReady(second)),
    ready: true,
    reasons: [],
  })
  await second.close()

  rmSync(chain, { recursive: true })
  cpSync(backup, chain, { recursive: true })
  const lines: string[] = []
  const third = await open(t, folder, databaseUrl, lines)
  const ahead = await untilReady(third, ({ ready }) => !ready)
  assert.match(
    String(ahead.reasons),
    /^The index is ahead of its chain: it has masterchain block 20, and the newest block of the chain is 6\..*"chaincenter db rewind 6"/,
  )

  // It goes another way, and past the index: only the hashes tell.
  await mineTo(third, 25)
  const apart = await untilReady(third, ({ reasons }) => /does not belong/.test(String(reasons)))
  assert.match(
    String(apart.reasons),
    /up to 20 differ from those of the chain \(up to 25\) above block 6\..*"chaincenter db rewind 6"/,
  )
  assert.ok(lines.some((line) => line.includes('index ahead of chain') && line.includes('db rewind 6')))

  const { exitCode, err } = await runCommandLine(t, ['db', 'rewind', '6', '--database-url', databaseUrl])
  assert.equal(exitCode, 0, err)
  await untilIndexed(`${third.url}/api/v3`, 25)
  const mended = await untilReady(third, ({ ready }) => ready)
  assert.deepEqual([mended.ready, mended.reasons], [true, []])
})
