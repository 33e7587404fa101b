// node --import tsx scripts/pollHeads.ts [--polls 200] [--least 200] [--most 8000] [--interval 1000]
// Polls services over a network that makes a block each second, at random intervals: each command that answers the live interface, in
// one process and in two. None may be behind the node by more than a round trip, go back, or refuse a block that the node has.

import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startNetwork } from '../src/cli/dev/startNetwork.ts'
import { readGlobalConfig } from '../src/node/globalConfig.ts'
import { pollHeads } from '../test/support/headPolls.ts'
import { ServeProcess } from '../test/support/serveProcess.ts'

const { values } = parseArgs({
  options: {
    polls: { type: 'string', default: '200' },
    least: { type: 'string', default: '200' },
    most: { type: 'string', default: '8000' },
    interval: { type: 'string', default: '1000' },
  },
})
const commands = [['start', '--no-index'], ['serve'], ['serve', '--workers', '2']]
const folder = mkdtempSync(join(tmpdir(), 'chaincenter-heads-'))
const intervalMs = Number(values.interval)
const network = await startNetwork({ mining: { mode: 'interval', intervalMs, emptyBlocks: true } })
try {
  const { liteServers } = await readGlobalConfig(network.globalConfig.path)
  const poll = async (command: readonly string[]) => {
    const args = [...command, '--port', '0', '--no-limits', '--global-config', network.globalConfig.path]
    const service = new ServeProcess([...args, '--data-dir', join(folder, command.join(''))], folder)
    try {
      const pauseMs = [Number(values.least), Number(values.most)] as const
      return {
        command,
        ...(await pollHeads(await service.url, liteServers[0]!, { polls: Number(values.polls), pauseMs })),
      }
    } finally {
      await service.kill()
    }
  }
  const reports = await Promise.all(commands.map(poll))
  let wrong = 0
  for (const { command, behind, backwards, refused, medianMs, polls } of reports) {
    const faults = [...behind, ...backwards, ...refused]
    for (const fault of faults) console.log(`${command.join(' ')}: ${fault}`)
    wrong += faults.length
    const counts = { behind: behind.length, backwards: backwards.length, refused: refused.length }
    console.log(JSON.stringify({ command: command.join(' '), polls, ...counts, medianMs }))
  }
  process.exitCode = wrong > 0 ? 1 : 0
} finally {
  await network.close()
  await rm(folder, { recursive: true, force: true })
}
