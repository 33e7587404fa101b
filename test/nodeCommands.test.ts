import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { formatLiteServer } from '../src/primitives/LiteServerAddress.ts'
import { servePatient } from './support/doctorServers.ts'
import { writeTree } from './support/writeTree.ts'

const launcher = join(import.meta.dirname, '../bin/chaincenter.js')

/** The program as a process of its own, while servers of this process answer it. */
const start = (t: TestContext, args: readonly string[]) => {
  const child = spawn(process.execPath, [launcher, ...args], {
    cwd: writeTree(t, {}),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.after(() => child.kill('SIGKILL'))
  const ended = async (): Promise<{ exitCode: number | null; out: string; err: string }> => {
    const [out, err, [exitCode]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number | null]>,
    ])
    return { exitCode, out, err }
  }
  return { child, ended: ended() }
}

test('lite and doctor run as programs, and end by themselves', async (t) => {
  const server = await servePatient(t)
  const flags = ['--liteserver', formatLiteServer(server)]
  const version = await start(t, ['lite', 'getVersion', '--json', ...flags]).ended
  assert.deepEqual([version.exitCode, version.err], [0, ''])
  const answer = JSON.parse(version.out) as Record<string, unknown>
  assert.deepEqual([answer['version'], answer['capabilities']], [257, '15'])
  const refused = await start(t, ['lite', 'getBlock', 'id=last', ...flags]).ended
  assert.deepEqual([refused.exitCode, refused.out], [1, ''])
  assert.match(refused.err, /^The server answered with error -400: not asked in this test\n/)

  const fine = await start(t, ['doctor', ...flags]).ended
  assert.deepEqual([fine.exitCode, fine.err], [0, ''])
  assert.match(fine.out, /^127\.0\.0\.1:\d+ {2}fine\n {2}block 100, 3 s old, archival, version 1\.1\n/)
  await server.close()
  const wrong = await start(t, ['doctor', ...flags]).ended
  assert.deepEqual([wrong.exitCode, wrong.err], [1, ''])
  assert.match(wrong.out, /\n {2}Connection refused: nothing listens on that port\.\n/)
})

test('Ctrl-C ends a doctor that waits for a mute server', { skip: process.platform === 'win32' }, async (t) => {
  let heard: (() => void) | undefined
  const asked = new Promise<void>((resolve) => {
    heard = resolve
  })
  const server = await servePatient(t, {
    answer: () => {
      heard?.()
      return null
    },
  })
  const { child, ended } = start(t, ['doctor', '--liteserver', formatLiteServer(server)])
  await asked
  child.kill('SIGINT')
  assert.deepEqual(await ended, { exitCode: 0, out: '', err: '' })
})
