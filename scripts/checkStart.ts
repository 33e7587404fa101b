// Runs `npm start` as the README has it, on a free port and in a folder of its own: it must answer a request of v2 and one of v3, and
// end without a complaint when it is told to by Ctrl-C.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'

const root = join(import.meta.dirname, '..')
const LONGEST_MS = 120_000

const folder = mkdtempSync(join(tmpdir(), 'chaincenter-start-'))
const args = ['start', '--', '--json', '--log-level', 'warn', '--port', '0', '--data-dir', join(folder, 'data')]
// A process group of its own, so that Ctrl-C can be played: a terminal tells all of them.
const child = spawn('npm', ['--silent', ...args], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], detached: true })
const exit = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
const signal = (name: NodeJS.Signals): void => {
  try {
    process.kill(-child.pid!, name)
  } catch {
    // They have all ended.
  }
}

const within = async <T>(work: Promise<T>, what: string): Promise<T> => {
  const late = new AbortController()
  const timeout = delay(LONGEST_MS, undefined, { signal: late.signal, ref: true }).then(() => {
    throw new Error(`${what} took longer than ${LONGEST_MS / 1000} s.`)
  })
  timeout.catch(() => undefined)
  try {
    return await Promise.race([work, timeout])
  } finally {
    late.abort()
  }
}

const answerOf = async (url: string): Promise<unknown> => {
  for (;;) {
    const response = await fetch(url).catch(() => undefined)
    if (response?.ok) return response.json()
    await delay(100)
  }
}

try {
  const ended = exit.then(([code, name]) => {
    throw new Error(`npm start ended with ${code ?? name} before it said where it listens.`)
  })
  ended.catch(() => undefined)
  const [line] = (await within(Promise.race([once(createInterface(child.stdout), 'line'), ended]), 'The start')) as [
    string,
  ]
  const { v2, v3 } = JSON.parse(line) as { readonly [name: string]: string }
  for (const url of [`${v2}/getMasterchainInfo`, `${v3}/masterchainInfo`]) {
    const answer = await within(Promise.race([answerOf(url), ended]), `An answer of ${url}`)
    assert.match(JSON.stringify(answer), /"seqno":\d+/)
  }
  signal('SIGINT')
  const [code, name] = await within(exit, 'The end after Ctrl-C')
  // npm itself may end by the signal, or with what the service ended with.
  assert.ok(code === 0 || name === 'SIGINT', `npm start ended with exit code ${code}, signal ${name}.`)
  console.log('npm start answered v2 and v3, and ended at Ctrl-C.')
} finally {
  signal('SIGKILL')
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
}
