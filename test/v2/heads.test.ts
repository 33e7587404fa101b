import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startNetwork } from '../../src/cli/dev/startNetwork.ts'
import { readGlobalConfig } from '../../src/node/globalConfig.ts'
import { pollHeads } from '../support/headPolls.ts'
import { ServeProcess } from '../support/serveProcess.ts'
import { tempFolder } from '../support/tempFolder.ts'
import { isLong } from '../support/testLength.ts'

const POLLS = isLong ? 100 : 12

/** The services whose heads are followed: one process, and several that act as one. */
const services = [
  ['start', '--no-index'],
  ['serve', '--workers', '2'],
]

test('a service is never behind its node, never goes back, and has every block that was named', {
  timeout: isLong ? 600_000 : 180_000,
}, async (t) => {
  const network = await startNetwork({ mining: { mode: 'interval', intervalMs: 250, emptyBlocks: true } })
  t.after(() => network.close())
  const { liteServers } = await readGlobalConfig(network.globalConfig.path)
  await Promise.all(services.map((command) => pollService(t, command, network.globalConfig.path, liteServers[0]!)))
})

const pollService = async (
  t: TestContext,
  command: readonly string[],
  globalConfig: string,
  liteserver: Parameters<typeof pollHeads>[1],
): Promise<void> => {
  const args = [...command, '--port', '0', '--no-limits', '--global-config', globalConfig]
  const service = new ServeProcess(args, tempFolder(t))
  t.after(() => service.kill())
  const report = await pollHeads(await service.url, liteserver, {
    polls: POLLS,
    pauseMs: isLong ? [30, 1000] : [30, 500],
  })
  t.diagnostic(`${command.join(' ')}: a poll takes ${report.medianMs.toFixed(1)} ms`)
  const { behind, backwards, refused } = report
  assert.deepEqual({ behind, backwards, refused }, { behind: [], backwards: [], refused: [] }, command.join(' '))
}
