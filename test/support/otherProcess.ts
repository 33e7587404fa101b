import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { PendingNetwork } from './pendingNetwork.ts'
import { type Cleanup, tempFolder } from './tempFolder.ts'

const launcher = join(import.meta.dirname, '../../bin/chaincenter.js')

export type OtherOptions = { readonly databaseUrl: string; readonly redisUrl: string }

/** Another process over the same network, database and Redis. Tells where it is served. */
export const startOtherProcess = async (
  t: Cleanup,
  { network }: PendingNetwork,
  { databaseUrl, redisUrl }: OtherOptions,
): Promise<string> => {
  const args = [
    'start',
    '--global-config',
    network.globalConfig.path,
    '--port',
    '0',
    '--json',
    '--log-level',
    'warn',
    '--no-limits',
  ]
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const child = spawn(
    process.execPath,
    [launcher, ...args, '--database-url', databaseUrl, '--redis-url', redisUrl, '--no-metadata'],
    { cwd: tempFolder(t), stdio: ['ignore', 'pipe', 'inherit'], env },
  )
  t.after(async () => {
    const ended = once(child, 'exit')
    if (child.kill('SIGTERM')) await ended
  })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  return (JSON.parse(line) as { readonly url: string }).url
}
